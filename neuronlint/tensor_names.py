"""What functions of torch and methods of tensors give, by name; tests/torch proves it."""

from __future__ import annotations

# Functions of torch that make a tensor of numbers.
CREATE = frozenset(
    {"arange", "as_tensor", "empty", "eye", "from_numpy", "full", "linspace", "logspace", "normal"}
    | {"ones", "rand", "randint", "randn", "randperm", "scalar_tensor", "tensor", "zeros"}
)

# Functions of torch, of which most are methods, too, that take a tensor first and give one.
COMPUTE = frozenset(
    {"abs", "acos", "add", "addmm", "amax", "amin", "angle", "argmax", "argmin", "argsort"}
    | {"asin", "atan", "atan2", "baddbmm", "bernoulli", "bincount", "bmm", "bucketize", "ceil"}
    | {"clamp", "clamp_max", "clamp_min", "clip", "clone", "conj", "cos", "cosh", "count_nonzero"}
    | {"cross", "cumprod", "cumsum", "deg2rad", "det", "detach", "diag", "diagonal", "diff", "dist"}
    | {"div", "dot", "erf", "erfc", "erfinv", "exp", "expm1", "fill", "flatten", "flip", "floor"}
    | {"fmod", "frac", "gather", "hypot", "index_add", "index_copy", "index_fill", "index_select"}
    | {"inverse", "kron", "lerp", "log", "log10", "log1p", "log2", "log_softmax", "logcumsumexp"}
    | {"logsumexp", "masked_fill", "masked_scatter", "masked_select", "matmul", "mean", "mm"}
    | {"movedim", "mul", "multinomial", "mv", "nan_to_num", "nanmean", "nansum", "narrow", "neg"}
    | {"norm", "outer", "permute", "pow", "prod", "quantile", "reciprocal", "relu", "remainder"}
    | {"renorm", "repeat_interleave", "reshape", "roll", "rot90", "round", "rsqrt", "scatter"}
    | {"scatter_add", "select", "sgn", "sigmoid", "sign", "sin", "sinh", "softmax", "sqrt"}
    | {"square", "squeeze", "std", "sub", "subtract", "sum", "take", "take_along_dim", "tan"}
    | {"tanh", "tile", "trace", "transpose", "tril", "triu", "trunc", "unflatten", "unsqueeze"}
    | {"var", "vdot", "xlogy"}
    | {"empty_like", "full_like", "ones_like", "rand_like", "randint_like", "randn_like"}
    | {"zeros_like"}
)

# Functions that take several tensors, or a text first.
COMBINE = frozenset(
    {"block_diag", "broadcast_tensors", "cat", "concat", "einsum", "hstack", "stack", "vstack"}
)

# Functions and methods that give a tensor of truth values.
MASKS = frozenset(
    {"eq", "ge", "greater", "gt", "isfinite", "isinf", "isnan", "isneginf", "isposinf", "le"}
    | {"less", "logical_and", "logical_not", "logical_or", "logical_xor", "lt", "ne", "not_equal"}
)

# Those that give a tensor, and several where they are told a dimension.
BY_DIMENSION = frozenset({"max", "median", "min", "nanmedian"})

# Those that give several tensors.
SEVERAL = frozenset(
    {"aminmax", "broadcast_tensors", "chunk", "cummax", "cummin", "kthvalue", "meshgrid", "mode"}
    | {"sort", "split", "std_mean", "topk", "unbind", "var_mean"}
)

# Further methods of a tensor that give one.
METHODS = frozenset(
    {"any", "all", "bfloat16", "bool", "byte", "contiguous", "cpu", "cuda", "double", "expand"}
    | {
        "expand_as",
        "float",
        "half",
        "int",
        "long",
        "new_empty",
        "new_full",
        "new_ones",
        "new_tensor",
    }
    | {"new_zeros", "pin_memory", "repeat", "requires_grad_", "reshape_as", "short", "t", "to"}
    | {"type_as", "unfold", "view", "view_as"}
)

# Methods that no other object of a program that trains has: it is a tensor, whatever else the
# file tells of it. `requires_grad` and `grad_fn` are asked for without a call.
TELLING = frozenset(
    {"addmm", "baddbmm", "bmm", "clamp", "clamp_min", "contiguous", "detach", "expand_as"}
    | {"index_select", "logsumexp", "long", "masked_fill", "masked_fill_", "masked_select"}
    | {"new_full", "new_ones", "new_tensor", "new_zeros", "numel", "permute", "retain_grad"}
    | {"scatter_", "type_as", "unsqueeze", "view_as"}
)
GRADIENT = frozenset({"grad_fn", "is_leaf", "requires_grad"})

# Modules of torch.nn of which a call gives something else than one tensor.
NO_TENSOR = frozenset(
    {"AdaptiveLogSoftmaxWithLoss", "GRU", "GRUCell", "LSTM", "LSTMCell", "Module", "ModuleDict"}
    | {"ModuleList", "MultiheadAttention", "Parameter", "ParameterDict", "ParameterList", "RNN"}
    | {"DataParallel", "RNNBase", "Sequential"}
)

# What a tensor says of itself on the host.
ON_HOST = frozenset(
    {
        "device",
        "dim",
        "dtype",
        "element_size",
        "is_contiguous",
        "item",
        "layout",
        "ndim",
        "nelement",
    }
    | {"numel", "numpy", "requires_grad", "shape", "size", "stride", "tolist", "is_floating_point"}
)
