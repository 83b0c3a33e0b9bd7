// A simulated accelerator for tests: PrivateUse1 tensors whose "device memory" is ordinary host memory.
//
// Every operator runs through one boxed fallback.  It re-labels the neuron tensors of a call as CPU tensors that
// point at the same bytes, runs the CPU kernel, and labels the results as neuron again.  Because the bytes are
// shared, views and in-place writes need no copying; only fresh results and resized outputs are moved.
// Devices are kept apart strictly: mixing neuron with CPU tensors (or neuron:0 with neuron:1) raises, as a GPU does.
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/EmptyTensor.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/native/Resize.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/library.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace {
using namespace at;
using c10::DeviceIndex;
using c10::DispatchKey;
using c10::DispatchKeySet;
using c10::IValue;
using c10::OperatorHandle;
using torch::jit::Stack;

constexpr auto kNeuron = c10::DeviceType::PrivateUse1;
constexpr int kMaxDevices = 16;

int deviceTotal() {
  static const int n = [] {
    const char* s = std::getenv("FAKE_NEURON_DEVICE_COUNT");
    return std::min(std::max(s ? std::atoi(s) : 2, 0), kMaxDevices);
  }();
  return n;
}
thread_local DeviceIndex currentDevice = 0;
thread_local std::array<c10::StreamId, kMaxDevices> currentStream{};

void checkIndex(DeviceIndex i) {
  TORCH_CHECK(i >= 0 && i < deviceTotal(), "neuron: invalid device ordinal ", int(i), " (", deviceTotal(), " present)");
}

// ---------------------------------------------------------------- memory
struct DeviceMemory final : c10::DeviceAllocator {
  struct Block { size_t bytes; DeviceIndex dev; };
  std::mutex mu;
  std::unordered_map<void*, Block> live;
  std::array<c10::CachingDeviceAllocator::DeviceStats, kMaxDevices> stats;

  static DeviceMemory& get() { static auto* m = new DeviceMemory(); return *m; }
  static void release(void* p) {
    if (!p) return;
    auto& m = get();
    std::lock_guard<std::mutex> lock(m.mu);
    auto it = m.live.find(p);
    if (it != m.live.end()) {
      m.count(it->second.dev, it->second.bytes, false);
      m.live.erase(it);
    }
    std::free(p);
  }
  void count(DeviceIndex dev, size_t bytes, bool up) {
    auto& s = stats[dev];
    for (auto* a : {&s.allocated_bytes, &s.reserved_bytes, &s.active_bytes, &s.requested_bytes})
      up ? (*a)[0].increase(bytes) : (*a)[0].decrease(bytes);
    for (auto* a : {&s.allocation, &s.segment, &s.active}) up ? (*a)[0].increase(1) : (*a)[0].decrease(1);
  }
  c10::DataPtr allocate(size_t n) override {
    checkIndex(currentDevice);
    c10::Device dev(kNeuron, currentDevice);
    if (n == 0) return {nullptr, nullptr, &release, dev};
    void* p = nullptr;
    TORCH_CHECK(posix_memalign(&p, 64, n) == 0, "neuron: out of memory asking for ", n, " bytes");
    std::lock_guard<std::mutex> lock(mu);
    live[p] = {n, currentDevice};
    count(currentDevice, n, true);
    return {p, p, &release, dev};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* d, const void* s, size_t n) const override { std::memcpy(d, s, n); }
  bool initialized() override { return true; }
  void emptyCache(c10::MempoolId_t = {0, 0}) override {}
  void recordStream(const c10::DataPtr&, c10::Stream) override {}
  c10::CachingDeviceAllocator::DeviceStats getDeviceStats(DeviceIndex d) override { checkIndex(d); return stats[d]; }
  template <class F> void eachStat(DeviceIndex d, F f) {
    checkIndex(d);
    auto& s = stats[d];
    for (auto* a : {&s.allocated_bytes, &s.reserved_bytes, &s.active_bytes, &s.requested_bytes, &s.allocation,
                    &s.segment, &s.active})
      for (auto& x : *a) f(x);
  }
  void resetAccumulatedStats(DeviceIndex d) override { eachStat(d, [](auto& x) { x.reset_accumulated(); }); }
  void resetPeakStats(DeviceIndex d) override { eachStat(d, [](auto& x) { x.reset_peak(); }); }
  std::pair<size_t, size_t> getMemoryInfo(DeviceIndex d) override {
    checkIndex(d);
    const size_t total = size_t(16) << 30;
    return {total - std::min(total, size_t(stats[d].allocated_bytes[0].current)), total};
  }
};

struct PinnedMemory final : c10::Allocator {
  std::mutex mu;
  std::unordered_set<const void*> live;
  static PinnedMemory& get() { static auto* m = new PinnedMemory(); return *m; }
  static void release(void* p) {
    auto& m = get();
    std::lock_guard<std::mutex> lock(m.mu);
    m.live.erase(p);
    std::free(p);
  }
  c10::DataPtr allocate(size_t n) override {
    void* p = nullptr;
    TORCH_CHECK(posix_memalign(&p, 64, std::max<size_t>(n, 1)) == 0, "out of memory");
    std::lock_guard<std::mutex> lock(mu);
    live.insert(p);
    return {p, p, &release, c10::Device(kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* d, const void* s, size_t n) const override { std::memcpy(d, s, n); }
  bool owns(const void* p) { std::lock_guard<std::mutex> lock(mu); return live.count(p) > 0; }
};

// ---------------------------------------------------------------- random numbers
struct NeuronGenerator final : c10::GeneratorImpl {
  Generator inner = at::detail::createCPUGenerator();
  explicit NeuronGenerator(DeviceIndex i)
      : GeneratorImpl(c10::Device(kNeuron, i), DispatchKeySet(DispatchKey::PrivateUse1)) {}
  void set_current_seed(uint64_t s) override { inner.set_current_seed(s); }
  void set_offset(uint64_t o) override { inner.unsafeGetGeneratorImpl()->set_offset(o); }
  uint64_t get_offset() const override { return inner.unsafeGetGeneratorImpl()->get_offset(); }
  uint64_t current_seed() const override { return inner.current_seed(); }
  uint64_t seed() override { return inner.unsafeGetGeneratorImpl()->seed(); }
  void set_state(const c10::TensorImpl& s) override { inner.unsafeGetGeneratorImpl()->set_state(s); }
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override { return inner.unsafeGetGeneratorImpl()->get_state(); }
  NeuronGenerator* clone_impl() const override {
    auto* g = new NeuronGenerator(device().index());
    g->inner = inner.clone();
    return g;
  }
};
Generator& defaultGenerator(DeviceIndex i) {
  static auto* all = [] {
    auto* v = new std::vector<Generator>();
    for (int d = 0; d < kMaxDevices; ++d) v->push_back(make_generator<NeuronGenerator>(DeviceIndex(d)));
    return v;
  }();
  i = i < 0 ? currentDevice : i;
  checkIndex(i);
  return (*all)[i];
}
Generator& innerOf(const Generator& g) { return static_cast<NeuronGenerator*>(g.unsafeGetGeneratorImpl())->inner; }

// ---------------------------------------------------------------- hooks and guard
struct NeuronHooks final : PrivateUse1HooksInterface {
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return deviceTotal() > 0; }
  bool hasPrimaryContext(DeviceIndex) const override { return true; }
  const Generator& getDefaultGenerator(DeviceIndex i) const override { return defaultGenerator(i); }
  Generator getNewGenerator(DeviceIndex i) const override {
    return make_generator<NeuronGenerator>(i < 0 ? currentDevice : i);
  }
  c10::Device getDeviceFromPtr(void* p) const override {
    auto& m = DeviceMemory::get();
    std::lock_guard<std::mutex> lock(m.mu);
    auto it = m.live.find(p);
    TORCH_CHECK(it != m.live.end(), "not a neuron pointer");
    return {kNeuron, it->second.dev};
  }
  bool isPinnedPtr(const void* p) const override { return PinnedMemory::get().owns(p); }
  c10::Allocator* getPinnedMemoryAllocator() const override { return &PinnedMemory::get(); }
  void resizePrivateUse1Bytes(const c10::Storage& s, size_t n) const override {
    at::native::resize_bytes_cpu(s.unsafeGetStorageImpl(), n);  // plain allocate + memcpy + swap
  }
  DeviceIndex deviceCount() const override { return DeviceIndex(deviceTotal()); }
  void setCurrentDevice(DeviceIndex i) const override { checkIndex(i); currentDevice = i; }
  DeviceIndex getCurrentDevice() const override { return currentDevice; }
  DeviceIndex exchangeDevice(DeviceIndex i) const override { checkIndex(i); return std::exchange(currentDevice, i); }
  DeviceIndex maybeExchangeDevice(DeviceIndex i) const override { return i < 0 ? currentDevice : exchangeDevice(i); }
};

struct NeuronEvent { std::chrono::steady_clock::time_point when; };

struct NeuronGuard final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override { return kNeuron; }
  c10::Device getDevice() const override { return {kNeuron, currentDevice}; }
  c10::Device exchangeDevice(c10::Device d) const override {
    auto old = getDevice();
    setDevice(d);
    return old;
  }
  void setDevice(c10::Device d) const override { if (d.index() >= 0) { checkIndex(d.index()); currentDevice = d.index(); } }
  void uncheckedSetDevice(c10::Device d) const noexcept override { if (d.index() >= 0) currentDevice = d.index(); }
  static c10::Device fix(c10::Device d) { return d.index() < 0 ? c10::Device(kNeuron, currentDevice) : d; }
  c10::Stream getStream(c10::Device d) const override { return c10::Stream(c10::Stream::UNSAFE, fix(d), currentStream[fix(d).index()]); }
  c10::Stream getDefaultStream(c10::Device d) const override { return c10::Stream(c10::Stream::UNSAFE, fix(d), 0); }
  c10::Stream getStreamFromGlobalPool(c10::Device d, bool) const override { return getNewStream(d, 0); }
  c10::Stream getNewStream(c10::Device d, int) const override {
    static std::atomic<c10::StreamId> next{1};
    return c10::Stream(c10::Stream::UNSAFE, fix(d), next++);
  }
  c10::Stream exchangeStream(c10::Stream s) const override {
    auto old = std::exchange(currentStream[s.device_index()], s.id());
    return c10::Stream(c10::Stream::UNSAFE, s.device(), old);
  }
  void* getStreamNativeHandle(const c10::Stream s) const override { return reinterpret_cast<void*>(s.id()); }
  DeviceIndex deviceCount() const noexcept override { return DeviceIndex(deviceTotal()); }
  c10::DeviceCapability getDeviceCapability(c10::Device) const override { return {}; }
  void record(void** e, const c10::Stream&, const DeviceIndex, const c10::EventFlag) const override {
    if (!*e) *e = new NeuronEvent();
    static_cast<NeuronEvent*>(*e)->when = std::chrono::steady_clock::now();
  }
  void destroyEvent(void* e, const DeviceIndex) const noexcept override { delete static_cast<NeuronEvent*>(e); }
  void block(void*, const c10::Stream&) const override {}
  bool queryEvent(void*) const override { return true; }
  bool queryStream(const c10::Stream&) const override { return true; }
  void synchronizeStream(const c10::Stream&) const override {}
  void synchronizeEvent(void*) const override {}
  void synchronizeDevice(const DeviceIndex) const override {}
  double elapsedTime(void* a, void* b, const DeviceIndex) const override {
    return std::chrono::duration<double, std::milli>(static_cast<NeuronEvent*>(b)->when - static_cast<NeuronEvent*>(a)->when)
        .count();
  }
};

// ---------------------------------------------------------------- re-labelling tensors
// A tensor is an inference tensor if `like` is one, whatever the mode: in inference mode, a view of an ordinary tensor
// is an ordinary tensor.
Tensor tensorOn(DispatchKeySet keys, c10::Storage storage, const Tensor& like) {
  const auto backend = keys.highestBackendKey();
  keys = keys | c10::getAutocastRelatedKeySetFromBackend(backend);
  if (!like.is_inference()) keys = keys | c10::getAutogradRelatedKeySetFromBackend(backend);
  auto t = at::detail::make_tensor<c10::TensorImpl>(c10::TensorImpl::VIEW, std::move(storage), keys, like.dtype());
  t.unsafeGetTensorImpl()->set_sizes_and_strides(like.sizes(), like.strides(), like.storage_offset());
  if (like.is_conj()) t._set_conj(true);
  if (like.is_neg()) t._set_neg(true);
  if (like.unsafeGetTensorImpl()->is_wrapped_number()) t.unsafeGetTensorImpl()->set_wrapped_number(true);
  return t;
}

class Relabel {
 public:
  explicit Relabel(const OperatorHandle& op) : name_(op.schema().name()) {}

  IValue in(const IValue& v) {
    if (v.isTensor()) return in(v.toTensor());
    if (v.isTensorList()) {
      c10::List<Tensor> out;
      for (const Tensor& t : v.toTensorList()) out.push_back(in(t));
      return out;
    }
    if (v.isOptionalTensorList()) {
      c10::List<std::optional<Tensor>> out;
      for (const std::optional<Tensor>& t : v.toOptionalTensorList()) out.push_back(t ? std::optional<Tensor>(in(*t)) : t);
      return out;
    }
    if (v.isDevice() && v.toDevice().type() == kNeuron) {
      see(NeuronGuard::fix(v.toDevice()));
      return c10::Device(kCPU);
    }
    if (v.isGenerator() && v.toGenerator().defined()) {
      TORCH_CHECK(v.toGenerator().device().type() == kNeuron, "Expected a 'neuron' device type for generator but found '",
                  v.toGenerator().device().type(), "'");
      return innerOf(v.toGenerator());
    }
    return v;
  }

  Tensor in(const Tensor& t) {
    if (!t.defined()) return t;
    if (t.device().type() != kNeuron) {
      if (t.dim() > 0) hostTensor_ = true;
      return t;
    }
    see(t.device());
    if (t.layout() != kStrided) TORCH_CHECK_NOT_IMPLEMENTED(false, "neuron: ", name_, " on a non-strided tensor");
    auto* impl = t.unsafeGetTensorImpl();
    for (auto& p : pairs_) if (p.first.unsafeGetTensorImpl() == impl) return p.second;
    auto* real = t.storage().unsafeGetStorageImpl();
    auto it = toHost_.find(real);
    if (it == toHost_.end()) {
      c10::Storage s(c10::Storage::use_byte_size_t(), real->nbytes(), c10::DataPtr(real->mutable_data(), c10::Device(kCPU)),
                     c10::GetAllocator(kCPU), /*resizable=*/true);
      it = toHost_.emplace(real, s).first;
      toDevice_.emplace(s.unsafeGetStorageImpl(), t.storage());
    }
    DispatchKeySet keys(DispatchKey::CPU);
    if (t._is_zerotensor()) keys = keys.add(DispatchKey::ZeroTensor);
    pairs_.emplace_back(t, tensorOn(keys, it->second, t));
    return pairs_.back().second;
  }

  void see(c10::Device d) {
    if (device_.type() != kNeuron) device_ = d;
    else if (device_ != d) clash(d);
  }
  void checkDevices(const std::unordered_set<std::string>& hostArgsFine) const {
    if (hostTensor_ && device_.type() == kNeuron && !hostArgsFine.count(name_)) clash(c10::Device(kCPU));
  }
  [[noreturn]] void clash(c10::Device d) const {
    TORCH_CHECK(false, "Expected all tensors to be on the same device, but found at least two devices, ", device_, " and ", d,
                "! (when calling ", name_, ")");
  }
  c10::Device device() const { return device_.type() == kNeuron ? device_ : c10::Device(kNeuron, currentDevice); }

  // After the kernel: carry resizes and metadata changes of the host labels over to the real tensors.
  void writeBack() {
    for (auto& [host, real] : toDevice_) {
      auto* r = real.unsafeGetStorageImpl();
      if (host->data() == r->data() && host->nbytes() == r->nbytes()) continue;
      r->set_data_ptr_noswap(fresh(host));
      r->set_nbytes(host->nbytes());
    }
    for (auto& [real, host] : pairs_) {
      auto *r = real.unsafeGetTensorImpl(), *h = host.unsafeGetTensorImpl();
      if (r->sizes() != h->sizes() || r->strides() != h->strides() || r->storage_offset() != h->storage_offset())
        r->set_sizes_and_strides(h->sizes(), h->strides(), h->storage_offset());
    }
  }

  IValue out(const IValue& v) {
    if (v.isTensor()) return out(v.toTensor());
    if (v.isTensorList()) {
      c10::List<Tensor> res;
      for (const Tensor& t : v.toTensorList()) res.push_back(out(t));
      return res;
    }
    return v;
  }

  Tensor out(const Tensor& t) {
    if (!t.defined() || t.device().type() != kCPU) return t;
    for (auto& p : pairs_) if (p.second.is_same(t)) return p.first;
    if (t.layout() != kStrided || t.is_quantized())
      TORCH_CHECK_NOT_IMPLEMENTED(false, "neuron: ", name_, " gives a ", t.is_quantized() ? "quantized" : "non-strided",
                                  " tensor, which is not supported");
    auto* host = t.storage().unsafeGetStorageImpl();
    auto it = toDevice_.find(host);
    if (it == toDevice_.end()) {
      c10::Storage s(c10::Storage::use_byte_size_t(), host->nbytes(), fresh(host), &DeviceMemory::get(), /*resizable=*/true);
      it = toDevice_.emplace(host, s).first;
      keep_.push_back(t.storage());
    }
    DispatchKeySet keys(DispatchKey::PrivateUse1);
    if (t._is_zerotensor()) keys = keys.add(DispatchKey::ZeroTensor);
    return tensorOn(keys, it->second, t);
  }

 private:
  c10::DataPtr fresh(c10::StorageImpl* host) {
    c10::DeviceGuard guard(device());
    if (!host->data()) return {nullptr, device()};
    auto p = DeviceMemory::get().allocate(host->nbytes());
    if (host->nbytes()) std::memcpy(p.get(), host->data(), host->nbytes());
    return p;
  }
  std::string name_;
  c10::Device device_{kCPU};
  bool hostTensor_ = false;
  std::vector<std::pair<Tensor, Tensor>> pairs_;                   // (real, host label)
  std::unordered_map<c10::StorageImpl*, c10::Storage> toHost_;     // real -> host label
  std::unordered_map<c10::StorageImpl*, c10::Storage> toDevice_;   // host -> real
  std::vector<c10::Storage> keep_;
};

// Operators that a GPU, too, lets mix in host tensors (indices, lengths, pinned copies).
const std::unordered_set<std::string>& hostArgsFine() {
  static const std::unordered_set<std::string> s{
      "aten::index.Tensor", "aten::index", "aten::_unsafe_index", "aten::index_put_", "aten::index_put", "aten::_index_put_impl_",
      "aten::_pack_padded_sequence", "aten::_pack_padded_sequence_backward", "aten::_ctc_loss", "aten::_ctc_loss_backward",
      "aten::_amp_foreach_non_finite_check_and_unscale_", "aten::set_"};
  return s;
}

// Runs `target` on the CPU with the arguments of `op` that lie on the stack, `edit`ed on the way.
template <class Edit>
void runOnHost(const OperatorHandle& op, const OperatorHandle& target, Stack* stack, Edit edit) {
  at::AutoDispatchBelowADInplaceOrView below;
  Relabel relabel(op);
  const auto& args = op.schema().arguments();
  const size_t n = args.size();
  std::vector<IValue> values(stack->end() - n, stack->end());
  torch::jit::drop(*stack, n);
  for (auto& v : values) v = relabel.in(v);
  relabel.checkDevices(hostArgsFine());
  for (size_t i = 0; i < n; ++i)
    if (values[i].isNone() && args[i].name() == "generator" && args[i].type()->kind() == c10::TypeKind::OptionalType)
      values[i] = innerOf(defaultGenerator(relabel.device().index()));
  edit(values);
  Stack inner(values.begin(), values.end());
  target.redispatchBoxed(DispatchKeySet(DispatchKey::CPU), &inner);
  relabel.writeBack();
  for (auto& v : inner) stack->push_back(relabel.out(v));
}

void fallback(const OperatorHandle& op, Stack* stack) {
  runOnHost(op, op, stack, [](std::vector<IValue>&) {});
}

OperatorHandle find(const char* name) { return c10::Dispatcher::singleton().findSchemaOrThrow(name, ""); }

// PrivateUse1 gets its own convolution entry points; they only need to reach the ordinary ones.
void convolution(const OperatorHandle& op, Stack* stack) {
  static auto target = find("aten::convolution");
  runOnHost(op, target, stack, [](std::vector<IValue>&) {});
}
void convolutionBackward(const OperatorHandle& op, Stack* stack) {
  static auto target = find("aten::convolution_backward");
  runOnHost(op, target, stack, [](std::vector<IValue>& v) {
    const auto channels = v[0].toTensor().size(1);
    v.insert(v.begin() + 3, IValue(std::vector<int64_t>{channels}));
  });
}

// ---------------------------------------------------------------- operators that need storages, not kernels
c10::Device deviceOf(std::optional<c10::Device> d, std::optional<Layout> layout, std::optional<bool> pin) {
  TORCH_CHECK_NOT_IMPLEMENTED(!layout || *layout == kStrided, "neuron: only strided tensors are supported");
  TORCH_CHECK(!pin || !*pin, "Only dense CPU tensors can be pinned");
  return NeuronGuard::fix(d.value_or(c10::Device(kNeuron)));
}
Tensor empty(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout> layout, std::optional<c10::Device> device,
             std::optional<bool> pin, std::optional<MemoryFormat> format) {
  c10::DeviceGuard guard(deviceOf(device, layout, pin));
  return at::detail::empty_generic(size, &DeviceMemory::get(), DispatchKeySet(DispatchKey::PrivateUse1),
                                   c10::dtype_or_default(dtype), format);
}
Tensor emptyStrided(IntArrayRef size, IntArrayRef stride, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                    std::optional<c10::Device> device, std::optional<bool> pin) {
  c10::DeviceGuard guard(deviceOf(device, layout, pin));
  return at::detail::empty_strided_generic(size, stride, &DeviceMemory::get(), DispatchKeySet(DispatchKey::PrivateUse1),
                                           c10::dtype_or_default(dtype));
}
Tensor hostLabel(const Tensor& t) {
  if (t.device().type() != kNeuron) return t;
  c10::Storage s(c10::Storage::use_byte_size_t(), t.storage().nbytes(),
                 c10::DataPtr(t.storage().unsafeGetStorageImpl()->mutable_data(), c10::Device(kCPU)), nullptr, false);
  return tensorOn(DispatchKeySet(DispatchKey::CPU), s, t);
}
Tensor copyFrom(const Tensor& src, const Tensor& dst, bool) {
  at::AutoDispatchBelowADInplaceOrView below;
  hostLabel(dst).copy_(hostLabel(src));
  return dst;
}
Tensor copyFromAndResize(const Tensor& src, const Tensor& dst) {
  dst.resize_(src.sizes());
  return copyFrom(src, dst, false);
}
const Tensor& resize(const Tensor& self, c10::SymIntArrayRef size, std::optional<MemoryFormat> format) {
  c10::DeviceGuard guard(self.device());
  return at::native::resize_(self, C10_AS_INTARRAYREF_SLOW(size), format);
}
Tensor& setStorage(Tensor& self, Storage source, c10::SymInt offset, c10::SymIntArrayRef size, c10::SymIntArrayRef stride) {
  TORCH_CHECK(source.device() == self.device(), "Attempted to set the storage of a tensor on device \"", self.device(),
              "\" to a storage on different device \"", source.device(), "\".");
  auto* impl = self.unsafeGetTensorImpl();
  impl->set_storage_keep_dtype(std::move(source));
  auto sizes = C10_AS_INTARRAYREF_SLOW(size);
  if (stride.empty() && !size.empty()) {
    impl->set_storage_offset(offset.expect_int());
    impl->set_sizes_contiguous(sizes);
  } else {
    impl->set_sizes_and_strides(sizes, C10_AS_INTARRAYREF_SLOW(stride), offset.expect_int());
  }
  return self;
}
Tensor& setStorageWhole(Tensor& self, Storage source) {
  const int64_t n = int64_t(source.nbytes() / self.dtype().itemsize());
  return setStorage(self, std::move(source), 0, c10::SymInt(n), c10::SymInt(1));
}
Tensor& setTensor(Tensor& self, const Tensor& source) {
  return setStorage(self, source.storage(), source.sym_storage_offset(), source.sym_sizes(), source.sym_strides());
}
Tensor& setNothing(Tensor& self) {
  c10::DeviceGuard guard(self.device());
  c10::Storage s(c10::Storage::use_byte_size_t(), 0, DeviceMemory::get().allocate(0), &DeviceMemory::get(), true);
  return setStorage(self, s, 0, c10::SymInt(0), c10::SymInt(1));
}
void recordStream(Tensor&, Stream) {}
int64_t sdpChoice(const Tensor&, const Tensor&, const Tensor&, const std::optional<Tensor>&, double, bool, std::optional<double>,
                  bool) {
  return 0;  // the "math" backend, made of ordinary operators
}

// ---------------------------------------------------------------- autocast
template <bool lower>
void castArgs(const OperatorHandle& op, Stack* stack) {
  c10::impl::ExcludeDispatchKeyGuard off(DispatchKey::AutocastPrivateUse1);
  const auto dtype = lower ? at::autocast::get_autocast_dtype(kNeuron) : kFloat;
  const size_t n = op.schema().arguments().size();
  auto cast = [&](const Tensor& t) { return at::autocast::cached_cast(dtype, t, kNeuron); };
  for (size_t i = stack->size() - n; i < stack->size(); ++i) {
    auto& v = (*stack)[i];
    if (v.isTensor() && v.toTensor().defined()) v = cast(v.toTensor());
    else if (v.isTensorList()) {
      c10::List<Tensor> out;
      for (const Tensor& t : v.toTensorList()) out.push_back(cast(t));
      v = out;
    }
  }
  op.callBoxed(stack);
}

// ---------------------------------------------------------------- registrations
REGISTER_ALLOCATOR(kNeuron, &DeviceMemory::get())
C10_REGISTER_GUARD_IMPL(PrivateUse1, NeuronGuard)
const bool hooksRegistered = [] {
  at::RegisterPrivateUse1HooksInterface(new NeuronHooks());
  return true;
}();

TORCH_LIBRARY_IMPL(_, PrivateUse1, m) { m.fallback(torch::CppFunction::makeFromBoxedFunction<&fallback>()); }
TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("empty.memory_format", &empty);
  m.impl("empty_strided", &emptyStrided);
  m.impl("_copy_from", &copyFrom);
  m.impl("_copy_from_and_resize", &copyFromAndResize);
  m.impl("resize_", &resize);
  m.impl("set_", &setNothing);
  m.impl("set_.source_Tensor", &setTensor);
  m.impl("set_.source_Storage", &setStorageWhole);
  m.impl("set_.source_Storage_storage_offset", &setStorage);
  m.impl("record_stream", &recordStream);
  m.impl("_fused_sdp_choice", &sdpChoice);
  m.impl("convolution_overrideable", torch::CppFunction::makeFromBoxedFunction<&convolution>());
  m.impl("convolution_backward_overrideable", torch::CppFunction::makeFromBoxedFunction<&convolutionBackward>());
}
// The copy itself resolves these lazy bits; resolving them first would copy again, without end.
TORCH_LIBRARY_IMPL(aten, Conjugate, m) { m.impl("_copy_from", torch::CppFunction::makeFallthrough()); }
TORCH_LIBRARY_IMPL(aten, Negative, m) { m.impl("_copy_from", torch::CppFunction::makeFallthrough()); }
TORCH_LIBRARY_IMPL(_, AutocastPrivateUse1, m) { m.fallback(torch::CppFunction::makeFallthrough()); }
TORCH_LIBRARY_IMPL(aten, AutocastPrivateUse1, m) {
  for (auto* name : {"matmul", "mm", "bmm", "mv", "addmm", "addmv", "addbmm", "baddbmm", "linear", "einsum", "conv1d", "conv2d",
                     "conv3d", "conv_transpose1d", "conv_transpose2d.input", "conv_transpose3d.input", "convolution", "prelu",
                     "lstm_cell", "gru_cell", "rnn_tanh_cell", "rnn_relu_cell", "scaled_dot_product_attention"})
    m.impl(name, torch::CppFunction::makeFromBoxedFunction<&castArgs<true>>());
  for (auto* name : {"exp", "log", "log2", "log10", "log1p", "pow.Tensor_Scalar", "pow.Tensor_Tensor", "rsqrt", "reciprocal",
                     "softplus", "layer_norm", "group_norm", "rms_norm", "softmax.int", "log_softmax.int", "nll_loss", "nll_loss2d", "mse_loss",
                     "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div", "cosine_similarity", "cdist", "cumsum", "cumprod", "sum",
                     "sum.dim_IntList", "prod", "logsumexp", "binary_cross_entropy_with_logits"})
    m.impl(name, torch::CppFunction::makeFromBoxedFunction<&castArgs<false>>());
}

// What the Python module needs and torch.accelerator does not offer yet.
TORCH_LIBRARY(fake_neuron, m) {
  m.def("host_view(Tensor self) -> Tensor");
  m.def("manual_seed(int device, int seed) -> ()",
        [](int64_t d, int64_t seed) { defaultGenerator(DeviceIndex(d)).set_current_seed(uint64_t(seed)); });
  m.def("initial_seed(int device) -> int", [](int64_t d) { return int64_t(defaultGenerator(DeviceIndex(d)).current_seed()); });
  m.def("get_rng_state(int device) -> Tensor", [](int64_t d) { return defaultGenerator(DeviceIndex(d)).get_state(); });
  m.def("set_rng_state(int device, Tensor state) -> ()",
        [](int64_t d, const Tensor& s) { defaultGenerator(DeviceIndex(d)).set_state(s); });
}
// The bytes of a device tensor as a CPU tensor; it keeps the device memory alive.
Tensor hostView(const Tensor& t) {
  auto* keep = new c10::Storage(t.storage());
  c10::Storage s(c10::Storage::use_byte_size_t(), keep->nbytes(),
                 c10::DataPtr(keep->mutable_data(), keep, [](void* p) { delete static_cast<c10::Storage*>(p); }, c10::Device(kCPU)),
                 nullptr, false);
  return tensorOn(DispatchKeySet(DispatchKey::CPU), s, t);
}
TORCH_LIBRARY_IMPL(fake_neuron, PrivateUse1, m) { m.impl("host_view", &hostView); }
}  // namespace
