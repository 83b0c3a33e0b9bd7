"""Shapes of CUDA code and of Python's odd corners, with holes, of which modules are made."""

IMPORTS = """\
import os, unittest, pytest
import torch.distributed as dist
from torch.cuda.amp import autocast, GradScaler
from torch.cuda import (synchronize as sync, Stream,)
import torch.backends.cudnn as cudnn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
import torch.nn as nn; import sys
from torch import cuda
from torch import *
import torch.cuda
from . import torch_utils
import triton
from flash_attn import flash_attn_func
DEVICE = None""".splitlines()

# Holes: `T` for torch, `E` for an expression, `F` for one in an f-string, `S` for a statement.
EXPRESSIONS = """\
x.cuda()
x.cuda(non_blocking=True)
x.cuda(rank)
x.half().cuda(0).T
nn.Linear(2, 2).cuda().eval()
m.to('cuda')
m.to("cuda:0", T.float16, non_blocking=True)
m.to(rank)
await_(x).to(device='cuda')
T.device('cuda')
T.device(f'cuda:{rank}')
T.device('cuda:' + str(rank))
T.device('cuda', 1)
T.device('cuda' if T.cuda.is_available() else 'cpu')
T.device('cuda:%d' % rank if use_cuda else 'cpu')
T.zeros(2, device='cuda')
T.randn(*y, device=f'''cuda:{0}''', **z)
T.Generator('cuda').manual_seed(0)
T.cuda.is_available()
not T.cuda.is_available()
T.cuda.is_available() and T.cuda.device_count() > 1
T.cuda.device_count()
T.cuda.current_device()
T.cuda.max_memory_allocated() / 2**20
T.cuda.memory_reserved(0)
T.cuda.get_device_name(rank)
T.cuda.get_device_capability()[0] >= 8
T.cuda.get_rng_state()
T.cuda.FloatTensor(2)
T.cuda.LongTensor([0, 1]).fill_(1)
T.cuda.Stream()
T.cuda.current_stream().wait_stream(Stream())
T.cuda.Event(enable_timing=True)
T.cuda.CUDAGraph()
T.cuda.amp.GradScaler()
GradScaler(2.0**10, enabled=use_cuda)
T.amp.GradScaler('cuda')
T.load('m.pt', map_location='cuda')
T.load('m.pt', map_location=lambda storage, loc: storage.cuda())
T.load('m.pt', map_location={'cuda:0': 'cuda:%d' % rank})
T.nn.DataParallel(m, device_ids=[0]).cuda()
DDP(m, device_ids=[rank], output_device=rank)
DataLoader(x, pin_memory=True, pin_memory_device='cuda')
T.empty(4, pin_memory=use_cuda)
x.pin_memory('cuda')
x.is_cuda
x.device.type == 'cuda'
x.device != T.device('cuda')
'cuda' in str(x.device)
dist.get_backend() == 'nccl'
dist.is_nccl_available()
x.type(T.cuda.HalfTensor)
isinstance(x, (T.cuda.FloatTensor, T.FloatTensor))
T.compile(m, mode='max-autotune')
T.optim.AdamW(m, fused=True)
getattr(T, 'cuda').device_count()
T.get_autocast_gpu_dtype()
T.is_autocast_enabled()
hasattr(T, 'xpu') and T.xpu.is_available()
T.backends.mps.is_available()
nn.Module
'é' + '\\N{BULLET}' 'cuda'
b'cuda'
rank
{**z, 'cuda': 0}
...""".splitlines()
AROUND = """\
E
E
E
(E)
( (E) )
(y := E)
(lambda x=E: x)
(lambda: E)()
[E for x in range(2) if E]
{x: E for x in y}
{**{'a': E}, **z}
f(E, *y, **z)
f(*[E], key=E)
(E,)
(E, *y)
(E if y else E)
(not (E))
y[E, ::2]
y[(E):1]
((E) or (E))
f(y)(E)[0].z(E)
(E) @ (E)
F""".splitlines()
STATEMENTS = """\
E
y = E
x = E
device = E
use_cuda = T.cuda.is_available()
use_cuda: bool = E
x, *y = E, E
x.y = z = E
y += E
print(E, end='')
assert E, 'a GPU'
del x, y
pass
sync()
T.cuda.synchronize()
T.cuda.synchronize(rank)
T.cuda.empty_cache()
T.cuda.set_device(rank)
T.cuda.set_device('cuda:0')
T.cuda.manual_seed_all(0)
T.manual_seed(0)
T.cuda.reset_peak_memory_stats()
T.cuda.nvtx.range_push('a')
T.set_default_device('cuda')
T.set_default_tensor_type('torch.cuda.FloatTensor')
T.set_default_tensor_type(T.cuda.FloatTensor)
T.backends.cudnn.benchmark = True
cudnn.deterministic = not cudnn.benchmark
T.backends.cuda.matmul.allow_tf32 = True
dist.init_process_group('nccl', rank=rank)
dist.init_process_group(backend='nccl' if use_cuda else 'gloo')
os.environ['CUDA_VISIBLE_DEVICES'] = '0'
parser.add_argument('--device', default='cuda', help=E)
parser.add_argument('--no-cuda', action='store_true')
T.cuda.synchronize = lambda: None
x = 'cuda'; m.to(x)""".splitlines()
# Statements with suites, each on one line; `>>` stands for the end of a line.
SUITES = """\
if not T.cuda.is_available(): raise RuntimeError('no GPU')
if T.cuda.is_available(): T.cuda.synchronize(); S
if E: S
for x in E: S
while E: S; break
with E as y: S
with autocast(): S
with T.cuda.device(rank), T.autocast('cuda'): S
class A: x = E
class A(nn.Module): 'cuda'; y: E
def f(x, /, y=E, *, z: E = 1) -> E: return E
async def f(): return await E
def f(): x = yield E; yield from E
try: S>>except E: S""".splitlines()
# Headers of suites, those of one statement apart by `&&`; `>>` stands for the end of a line.
BLOCKS = """\
if E:
if T.cuda.is_available():
if T.cuda.is_available():&&else:
if not T.cuda.is_available():&&elif T.backends.mps.is_available():&&else:
if use_cuda and E:&&else:
for x in (E, E):&&else:
while E:
try:&&except (RuntimeError, E) as error:&&else:&&finally:
try:&&finally:
with E:
with (T.no_grad(), T.autocast('cuda', dtype=T.float16)):
with T.cuda.amp.autocast(enabled=use_cuda):
with autocast(), open(E) as z:
with T.cuda.stream(Stream()):
with T.cuda.device(0):
with T.device('cuda'):
def f(x, device='cuda', *args, key=E, **kw):
def f(x: 'T.cuda.FloatTensor', y: T.Tensor = E) -> None:
async def f(x):
class A(nn.Module, metaclass=E):
class Case(unittest.TestCase):
@unittest.skipIf(not T.cuda.is_available(), 'GPU')>>def test(self):
@pytest.mark.skipif(not T.cuda.is_available(), reason='GPU')>>@f(E)>>async def test(device=E):
@(lambda f: f)>>class A:
match E:>>    case 'cuda' | {'device': 'cuda', **rest}:
match (E, *y):>>    case [T.cuda, *_] if E:
if __name__ == '__main__':""".splitlines()
COMMENTS = ("# x.cuda()", "#", "# type: ignore", "# é", "# noqa", "#: 'cuda\"", "# fmt: off")
DOCS = ('"""Runs on cuda.\n\n    x.cuda()\n"""', "'cuda'", 'r"""\\cuda"""', "'''a' \\\n'''")
