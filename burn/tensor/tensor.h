#pragma once

#include <burn/core/tensor_data.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/ops/cast.h>
#include <burn/ops/closeness.h>
#include <burn/ops/create.h>
#include <burn/ops/functions.h>
#include <burn/ops/grid.h>
#include <burn/ops/indexing.h>
#include <burn/ops/join.h>
#include <burn/ops/masks.h>
#include <burn/ops/matmul.h>
#include <burn/ops/movement.h>
#include <burn/ops/random.h>
#include <burn/ops/reduce.h>
#include <burn/ops/scan.h>
#include <burn/ops/slice.h>
#include <burn/ops/sort.h>
#include <burn/ops/statistics.h>
#include <burn/tensor/backend.h>
#include <burn/tensor/iter_dim.h>
#include <burn/tensor/kind.h>
#include <burn/tensor/masked.h>
#include <burn/tensor/sizes.h>

#include <optional>
#include <utility>

namespace burn {

struct Padding;

namespace detail {
/// Errors    ShapeError when the rank differs, DTypeError when the dtype is of another kind
void require_handle(const ops::Handle& handle, std::size_t rank, Kind kind);

ops::Handle pad(ops::Handle handle, std::span<const Padding> paddings, ops::PadMode mode, Scalar value);

/// The values in the default dtype of another kind.
template <TensorKind K>
ops::Handle to_kind(ops::Handle handle) {
    const DType dtype = K::default_dtype(handle.engine());
    return ops::cast(std::move(handle), dtype);
}

/// Errors    UnsupportedError, always: operations on the tensor are remembered
[[noreturn]] void raise_tracked(const ops::Handle& handle, const char* op);

/// Errors    ShapeError when there is not exactly one value
Scalar single_value(const TensorData& data);

template <class B>
struct InnerBackend {
    using type = B;
};
template <class B>
struct InnerBackend<Autodiff<B>> {
    using type = B;
};
}  // namespace detail

/// The gradients of one backward pass, by leaf tensor.
using Gradients = autodiff::Gradients;

using ops::GridIndexing;
using ops::GridSparsity;
using ops::IndexingUpdate;
using ops::PadMode;
using ops::SliceList;

/// How many elements stand before and after an axis that is padded.
struct Padding {
    std::int64_t before = 0;
    std::int64_t after = 0;
};

/// A tensor of rank `D` and kind `K` on backend `B`.
///
/// Rank and kind are checked by the compiler, shapes and dtypes when an operation is called. Copies share their values; every
/// function gives a new tensor. A function called on an rvalue may reuse its memory.
template <Backend B, std::size_t D, TensorKind K = Float>
class Tensor {
    static_assert(D >= 1 && D <= kMaxRank, "a tensor has 1 to 8 axes");

public:
    using BackendType = B;
    using KindType = K;
    static constexpr std::size_t kRank = D;
    using List = SmallVector<Tensor, 4>;
    using Indices = Tensor<B, D, Int>;
    using IndexList = Tensor<B, 1, Int>;
    /// Its values under one axis, one axis fewer and one more.
    using Flat = Tensor<B, 1, K>;
    using Shallower = Tensor<B, D - 1, K>;
    using Deeper = Tensor<B, D + 1, K>;

    /// An empty tensor that must be assigned before use; using it is an ArgumentError.
    Tensor() = default;
    /// Wraps a handle.
    ///
    /// Errors    ShapeError when its rank is not D, DTypeError when its dtype is not of kind K
    explicit Tensor(ops::Handle handle) : handle_(std::move(handle)) { detail::require_handle(handle_, D, K::kKind); }

    // ---- creation
    static Tensor full(Sizes<D> shape, Scalar value, const Device<B>& device) {
        return full(shape, value, device, K::default_dtype(device.engine()));
    }
    static Tensor full(Sizes<D> shape, Scalar value, const Device<B>& device, DType dtype) {
        return Tensor(ops::full(device.engine(), shape.shape(), dtype, value));
    }
    static Tensor zeros(Sizes<D> shape, const Device<B>& device) { return full(shape, 0, device); }
    static Tensor zeros(Sizes<D> shape, const Device<B>& device, DType dtype) { return full(shape, 0, device, dtype); }
    static Tensor ones(Sizes<D> shape, const Device<B>& device) { return full(shape, 1, device); }
    static Tensor ones(Sizes<D> shape, const Device<B>& device, DType dtype) { return full(shape, 1, device, dtype); }
    /// A tensor to be written before it is read; its values are not specified.
    static Tensor empty(Sizes<D> shape, const Device<B>& device) { return zeros(shape, device); }
    Tensor full_like(Scalar value) const { return Tensor(ops::full_like(handle_, value)); }
    Tensor zeros_like() const { return full_like(0); }
    Tensor ones_like() const { return full_like(1); }

    /// start, start + 1, .. up to but without `end`; an empty tensor when `end` is not above `start`.
    static Tensor arange(std::int64_t start, std::int64_t end, const Device<B>& device)
        requires(D == 1 && NumericKind<K>)
    {
        return arange_step(start, end, 1, device);
    }
    /// start, start + step, .. up to but without `end`; a negative step counts down.
    ///
    /// Errors    ArgumentError for a step of 0
    static Tensor arange_step(std::int64_t start, std::int64_t end, std::int64_t step, const Device<B>& device)
        requires(D == 1 && NumericKind<K>)
    {
        return Tensor(ops::arange(device.engine(), start, end, step, K::default_dtype(device.engine())));
    }
    /// Ones on the diagonal of a square of zeros.
    static Tensor eye(std::int64_t size, const Device<B>& device)
        requires(D == 2 && NumericKind<K>)
    {
        return Tensor(ops::eye(device.engine(), size, K::default_dtype(device.engine())));
    }
    /// Masks over the last two axes: true below, above or outside diagonal `offset`, where column - row = offset.
    static Tensor triu_mask(Sizes<D> shape, std::int64_t offset, const Device<B>& device)
        requires(D >= 2 && std::same_as<K, Bool>)
    {
        return Tensor(ops::triu_mask(device.engine(), shape.shape(), offset));
    }
    static Tensor tril_mask(Sizes<D> shape, std::int64_t offset, const Device<B>& device)
        requires(D >= 2 && std::same_as<K, Bool>)
    {
        return Tensor(ops::tril_mask(device.engine(), shape.shape(), offset));
    }
    static Tensor diag_mask(Sizes<D> shape, std::int64_t offset, const Device<B>& device)
        requires(D >= 2 && std::same_as<K, Bool>)
    {
        return Tensor(ops::diag_mask(device.engine(), shape.shape(), offset));
    }
    /// The index of every place of a grid: y[i, j, .., :] = (i, j, ..).
    ///
    /// Shapes    y [shape.., D - 1]
    static Tensor cartesian_grid(Sizes<D - 1> shape, const Device<B>& device)
        requires(D >= 2 && std::same_as<K, Int>)
    {
        return Tensor(ops::cartesian_grid(device.engine(), shape.shape()));
    }

    /// Random numbers from the device's stream.
    ///
    /// Example   Tensor<B, 2>::random({32, 32}, Distribution::uniform(), device)
    /// Errors    DTypeError when the law gives no numbers of this kind; ArgumentError for parameters that are no law
    static Tensor random(Sizes<D> shape, const Distribution& distribution, const Device<B>& device) {
        return random(shape, distribution, device, K::default_dtype(device.engine()));
    }
    static Tensor random(Sizes<D> shape, const Distribution& distribution, const Device<B>& device, DType dtype) {
        return Tensor(ops::random(device.engine(), shape.shape(), dtype, distribution));
    }
    Tensor random_like(const Distribution& distribution) const {
        return Tensor(ops::random_like(handle_, distribution));
    }

    /// The values of `data`, in the dtype they have.
    ///
    /// Errors    ShapeError, DTypeError when rank or kind differ
    static Tensor from_data(const TensorData& data, const Device<B>& device) {
        return Tensor(device.engine().upload(data));
    }
    /// Nested lists of values, converted to the device's default type of the kind.
    ///
    /// Example   Tensor<B, 2>::from({{1, 2}, {3, 4}}, device)
    template <detail::ValueOf<K> T>
        requires(D == 1)
    static Tensor from(std::initializer_list<T> values, const Device<B>& device) {
        return from_list(TensorData::from(values), device);
    }
    template <detail::ValueOf<K> T>
        requires(D == 2)
    static Tensor from(std::initializer_list<std::initializer_list<T>> values, const Device<B>& device) {
        return from_list(TensorData::from(values), device);
    }
    template <detail::ValueOf<K> T>
        requires(D == 3)
    static Tensor from(std::initializer_list<std::initializer_list<std::initializer_list<T>>> values,
                       const Device<B>& device) {
        return from_list(TensorData::from(values), device);
    }
    template <detail::ValueOf<K> T>
        requires(D == 4)
    static Tensor from(
        std::initializer_list<std::initializer_list<std::initializer_list<std::initializer_list<T>>>> values,
        const Device<B>& device) {
        return from_list(TensorData::from(values), device);
    }

    // ---- what it is
    static constexpr std::size_t rank() { return D; }
    Shape shape() const { return handle_.shape(); }
    std::int64_t dim(std::int64_t axis) const { return handle_.shape()[normalize_axis(axis, D, "dim")]; }
    DType dtype() const { return handle_.dtype(); }
    Device<B> device() const { return Device<B>(detail::device_index<B>(handle_.engine())); }
    /// The same values on another device of the backend.
    ///
    /// Errors    UnsupportedError when the tensor is tracked and the device another one: gradients do not change devices
    Tensor to_device(const Device<B>& device) const {
        if (&device.engine() == &handle_.engine()) return *this;
        if constexpr (AutodiffBackend<B>) {
            if (is_tracked()) detail::raise_tracked(handle_, "to_device");
        }
        return from_data(to_data(), device);
    }
    /// Whether nobody else holds this tensor, so that a function called on it as an rvalue may reuse its memory.
    bool can_mut() const { return handle_.unique(); }
    /// Replaces the tensor by `change` of it; its memory may be reused.
    template <class Function>
    void inplace(Function&& change) {
        *this = change(std::move(*this));
    }
    const ops::Handle& handle() const& { return handle_; }
    ops::Handle handle() && { return std::move(handle_); }

    // ---- reading
    /// Waits for the values and copies them to the host.
    TensorData to_data() const { return handle_.engine().read(handle_).wait(); }
    /// The one value, converted to `T`.
    ///
    /// Errors    ShapeError when there is not exactly one
    template <Element T>
    T into_scalar() const {
        return detail::single_value(to_data()).template to<T>();
    }
    /// The values when the device has them.
    Pending<TensorData> to_data_async() const { return handle_.engine().read(handle_); }

    // Each method exists twice: on an lvalue the operand is shared, on an rvalue it is given away.
#define BURN_METHOD(RESULT, SIGNATURE, REQUIRES, EXPRESSION) \
    RESULT SIGNATURE const& REQUIRES {                       \
        ops::Handle self = handle_;                          \
        return RESULT(EXPRESSION);                           \
    }                                                        \
    RESULT SIGNATURE&& REQUIRES {                            \
        ops::Handle self = std::move(handle_);               \
        return RESULT(EXPRESSION);                           \
    }

    /// The same for methods whose result has another rank, `E`.
#define BURN_RANK_METHOD(SIGNATURE, EXPRESSION) \
    template <std::size_t E>                    \
    Tensor<B, E, K> SIGNATURE const& {          \
        ops::Handle self = handle_;             \
        return Tensor<B, E, K>(EXPRESSION);     \
    }                                           \
    template <std::size_t E>                    \
    Tensor<B, E, K> SIGNATURE&& {               \
        ops::Handle self = std::move(handle_);  \
        return Tensor<B, E, K>(EXPRESSION);     \
    }

    // ---- pointwise operations: every line of ops/pointwise.def whose first operand is the tensor itself
#define BURN_RESULT(RESULT) Tensor<B, D, detail::result_##RESULT<K>>
#define BURN_METHOD_1_0(NAME, TYPES, RESULT) \
    BURN_METHOD(BURN_RESULT(RESULT), NAME(), requires(detail::takes_##TYPES<K>), ops::NAME(std::move(self)))
#define BURN_METHOD_1_1(NAME, TYPES, RESULT) \
    BURN_METHOD(BURN_RESULT(RESULT), NAME(Scalar s), requires(detail::takes_##TYPES<K>), ops::NAME(std::move(self), s))
#define BURN_METHOD_1_2(NAME, TYPES, RESULT)                                                       \
    BURN_METHOD(BURN_RESULT(RESULT), NAME(Scalar s, Scalar t), requires(detail::takes_##TYPES<K>), \
                ops::NAME(std::move(self), s, t))
#define BURN_METHOD_2_0(NAME, TYPES, RESULT)                                                 \
    BURN_METHOD(BURN_RESULT(RESULT), NAME(Tensor other), requires(detail::takes_##TYPES<K>), \
                ops::NAME(std::move(self), std::move(other).handle()))
#define BURN_METHOD_2_1(NAME, TYPES, RESULT)
#define BURN_METHOD_3_0(NAME, TYPES, RESULT)
#define POINTWISE(NAME, OPERANDS, SCALARS, TYPES, RESULT, ...) BURN_METHOD_##OPERANDS##_##SCALARS(NAME, TYPES, RESULT)
#include <burn/ops/pointwise.def>
#undef POINTWISE
#undef BURN_METHOD_1_0
#undef BURN_METHOD_1_1
#undef BURN_METHOD_1_2
#undef BURN_METHOD_2_0
#undef BURN_METHOD_2_1
#undef BURN_METHOD_3_0
#undef BURN_RESULT

    /// `value` where the mask holds, else this tensor's element.
    BURN_METHOD(Tensor, mask_where(Tensor<B, D, Bool> mask, Tensor value), ,
                ops::where(std::move(mask).handle(), std::move(value).handle(), std::move(self)))
    /// `value` where the mask holds, else this tensor's element.
    BURN_METHOD(Tensor, mask_fill(Tensor<B, D, Bool> mask, Scalar value), ,
                ops::mask_fill(std::move(mask).handle(), std::move(self), value))

    // ---- closeness
#define BURN_BOOLS(RANK) Tensor<B, RANK, Bool>
    /// |this - other| <= atol + rtol |other|, or equal infinities.
    BURN_METHOD(BURN_BOOLS(D), is_close(Tensor other, double rtol = 1e-5, double atol = 1e-8),
                requires(std::same_as<K, Float>), ops::is_close(std::move(self), std::move(other).handle(), rtol, atol))
    /// Whether all elements are close.
    BURN_METHOD(BURN_BOOLS(1), all_close(Tensor other, double rtol = 1e-5, double atol = 1e-8),
                requires(std::same_as<K, Float>),
                ops::all_close(std::move(self), std::move(other).handle(), rtol, atol))
    /// Whether any element is NaN.
    BURN_METHOD(BURN_BOOLS(1), contains_nan(), requires(std::same_as<K, Float>), ops::contains_nan(std::move(self)))

    // ---- type
#define BURN_KIND(KIND) Tensor<B, D, KIND>
    /// The same values as integers of the device's default type; floating values truncate and saturate, NaN gives 0.
    BURN_METHOD(BURN_KIND(Int), int_(), requires(!std::same_as<K, Int>), detail::to_kind<Int>(std::move(self)))
    /// The same values as floating numbers of the device's default type.
    BURN_METHOD(BURN_KIND(Float), float_(), requires(!std::same_as<K, Float>), detail::to_kind<Float>(std::move(self)))
    /// Whether the elements are not zero.
    BURN_METHOD(BURN_KIND(Bool), bool_(), requires NumericKind<K>, ops::cast(std::move(self), DType::Bool))
    /// The same values under another dtype of the kind.
    ///
    /// Errors    DTypeError when the dtype is of another kind; use cast<Int>(DType::I32)
    BURN_METHOD(Tensor, cast(DType dtype), , ops::cast(std::move(self), dtype))
    /// The same values under another kind and dtype.
    template <TensorKind Other>
    Tensor<B, D, Other> cast(DType dtype) const {
        return Tensor<B, D, Other>(ops::cast(handle_, dtype));
    }

#include <burn/tensor/movement_methods.inc>

#include <burn/tensor/indexing_methods.inc>

#include <burn/tensor/reduction_methods.inc>

    // ---- products
    /// Matrix product over the last two axes; the axes before them broadcast.
    ///
    /// Shapes    [.., m, k], [.., k, n] -> [.., m, n]
    BURN_METHOD(Tensor, matmul(Tensor rhs), requires(D >= 2 && NumericKind<K>),
                ops::matmul(std::move(self), std::move(rhs).handle()))

    // ---- gradients: on an AutodiffBackend only
    /// Marks the tensor as one whose gradient is wanted: the same values, tracked from here on.
    ///
    /// Errors    GradientError when it is the result of a tracked operation
    Tensor require_grad() const
        requires(AutodiffBackend<B> && std::same_as<K, Float>)
    {
        return Tensor(autodiff::require_grad(handle_));
    }
    /// Whether operations on this tensor are remembered.
    bool is_tracked() const
        requires AutodiffBackend<B>
    {
        return autodiff::is_tracked(handle_);
    }
    /// The same values, untracked.
    Tensor detach() const
        requires AutodiffBackend<B>
    {
        return Tensor(autodiff::detach(handle_));
    }
    /// Pulls gradients back to every tensor marked by require_grad that this one was made from.
    ///
    /// Errors    GradientError when it is not tracked, or its graph was consumed by an earlier call
    Gradients backward() const
        requires(AutodiffBackend<B> && std::same_as<K, Float>)
    {
        return autodiff::backward(handle_);
    }
    /// This tensor's gradient, on the inner backend; empty when the loss does not depend on it.
    ///
    /// Errors    GradientError when the tensor is not marked by require_grad
    auto grad(const Gradients& gradients) const
        requires(AutodiffBackend<B> && std::same_as<K, Float>)
    {
        using Gradient = Tensor<typename detail::InnerBackend<B>::type, D>;
        ops::Handle gradient = gradients.get(handle_);
        return gradient ? std::optional<Gradient>(Gradient(std::move(gradient))) : std::nullopt;
    }
    /// The tensor on the inner backend, without history.
    auto inner() const
        requires AutodiffBackend<B>
    {
        return Tensor<typename detail::InnerBackend<B>::type, D, K>(autodiff::inner(handle_));
    }
    /// A tensor of the inner backend, untracked.
    static Tensor from_inner(Tensor<typename detail::InnerBackend<B>::type, D, K> tensor)
        requires AutodiffBackend<B>
    {
        return Tensor(autodiff::from_inner(std::move(tensor).handle()));
    }

private:
    static List list_from(ops::HandleList handles) {
        List list;
        for (ops::Handle& handle : handles) list.push_back(Tensor(std::move(handle)));
        return list;
    }
    static ops::HandleList handles_of(std::span<const Tensor> tensors) {
        ops::HandleList handles;
        for (const Tensor& tensor : tensors) handles.push_back(tensor.handle());
        return handles;
    }
    static std::pair<Tensor, Indices> pair_from(ops::HandleList handles) {
        return {Tensor(std::move(handles[0])), Indices(std::move(handles[1]))};
    }
    static Tensor from_list(const TensorData& data, const Device<B>& device) {
        return from_data(data.convert(K::default_dtype(device.engine())), device);
    }

    ops::Handle handle_;

#undef BURN_METHOD
#undef BURN_RANK_METHOD
#undef BURN_KIND
#undef BURN_BOOLS
};

}  // namespace burn

#include <burn/tensor/operators.h>
