#pragma once

#include <burn/core/tensor_data.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/ops/cast.h>
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
    static Tensor ones(Sizes<D> shape, const Device<B>& device) { return full(shape, 1, device); }
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
    Tensor random_like(const Distribution& distribution) const { return Tensor(ops::random_like(handle_, distribution)); }

    /// The values of `data`, in the dtype they have.
    ///
    /// Errors    ShapeError, DTypeError when rank or kind differ
    static Tensor from_data(const TensorData& data, const Device<B>& device) { return Tensor(device.engine().upload(data)); }
    /// Nested lists of values, converted to the device's default type of the kind.
    ///
    /// Example   Tensor<B, 2>::from({{1, 2}, {3, 4}}, device)
    template <Number T>
        requires(D == 1)
    static Tensor from(std::initializer_list<T> values, const Device<B>& device) {
        return from_list(TensorData::from(values), device);
    }
    template <Number T>
        requires(D == 2)
    static Tensor from(std::initializer_list<std::initializer_list<T>> values, const Device<B>& device) {
        return from_list(TensorData::from(values), device);
    }
    template <Number T>
        requires(D == 3)
    static Tensor from(std::initializer_list<std::initializer_list<std::initializer_list<T>>> values, const Device<B>& device) {
        return from_list(TensorData::from(values), device);
    }

    // ---- what it is
    Shape shape() const { return handle_.shape(); }
    std::int64_t dim(std::int64_t axis) const { return handle_.shape()[normalize_axis(axis, D, "dim")]; }
    DType dtype() const { return handle_.dtype(); }
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
#define BURN_RANK_METHOD(SIGNATURE, EXPRESSION)      \
    template <std::size_t E>                         \
    Tensor<B, E, K> SIGNATURE const& {               \
        ops::Handle self = handle_;                  \
        return Tensor<B, E, K>(EXPRESSION);          \
    }                                                \
    template <std::size_t E>                         \
    Tensor<B, E, K> SIGNATURE&& {                    \
        ops::Handle self = std::move(handle_);       \
        return Tensor<B, E, K>(EXPRESSION);          \
    }

    // ---- pointwise operations: every line of ops/pointwise.def whose first operand is the tensor itself
#define BURN_RESULT(RESULT) Tensor<B, D, detail::result_##RESULT<K>>
#define BURN_METHOD_1_0(NAME, TYPES, RESULT) \
    BURN_METHOD(BURN_RESULT(RESULT), NAME(), requires(detail::takes_##TYPES<K>), ops::NAME(std::move(self)))
#define BURN_METHOD_1_1(NAME, TYPES, RESULT) \
    BURN_METHOD(BURN_RESULT(RESULT), NAME(Scalar s), requires(detail::takes_##TYPES<K>), ops::NAME(std::move(self), s))
#define BURN_METHOD_1_2(NAME, TYPES, RESULT) \
    BURN_METHOD(BURN_RESULT(RESULT), NAME(Scalar s, Scalar t), requires(detail::takes_##TYPES<K>), ops::NAME(std::move(self), s, t))
#define BURN_METHOD_2_0(NAME, TYPES, RESULT) \
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

    // ---- movement
    /// The same elements under another shape; -1 infers one size, 0 keeps the size of that axis.
    BURN_RANK_METHOD(reshape(Sizes<E> shape), ops::reshape(std::move(self), shape.shape()))
    /// Exchanges the last two axes.
    BURN_METHOD(Tensor, transpose(), requires(D >= 2), ops::swap_dims(std::move(self), -2, -1))
    BURN_METHOD(Tensor, swap_dims(std::int64_t a, std::int64_t b), , ops::swap_dims(std::move(self), a, b))
    BURN_METHOD(Tensor, permute(Sizes<D> axes), , ops::permute(std::move(self), axes.shape()))
    /// Moves axes to other places; the rest keep their order.
    BURN_METHOD(Tensor, movedim(Dims from, Dims to), , ops::movedim(std::move(self), from, to))
    /// Repeats size-1 axes without a copy; may add leading axes; -1 keeps a size.
    BURN_RANK_METHOD(expand(Sizes<E> shape), ops::expand(std::move(self), shape.shape()))
    /// Walks axes backwards.
    BURN_METHOD(Tensor, flip(Dims axes), , ops::flip(std::move(self), axes))
    /// Joins the axes `first` to `last` into one.
    BURN_RANK_METHOD(flatten(std::int64_t first, std::int64_t last), ops::flatten(std::move(self), first, last))
    /// Drops every axis of size 1; `E` must be how many are left.
    BURN_RANK_METHOD(squeeze(), ops::squeeze(std::move(self)))
    /// Drops axes of size 1.
    ///
    /// Errors    ShapeError when one has another size
    BURN_METHOD(Shallower, squeeze_dim(std::int64_t axis), requires(D >= 2), ops::squeeze_dims(std::move(self), {axis}))
    BURN_RANK_METHOD(squeeze_dims(Dims axes), ops::squeeze_dims(std::move(self), axes))
    /// Adds axes of size 1: in front, or where they stand in the result; a place named twice gets two.
    BURN_RANK_METHOD(unsqueeze(), ops::unsqueeze_to(std::move(self), E))
    BURN_METHOD(Deeper, unsqueeze_dim(std::int64_t axis), requires(D < kMaxRank), ops::unsqueeze_dim(std::move(self), axis))
    BURN_RANK_METHOD(unsqueeze_dims(Dims axes), ops::unsqueeze_dims(std::move(self), axes))
    /// Every window of `size` elements of an axis, `step` apart, along a new last axis. A view.
    BURN_METHOD(Deeper, unfold(std::int64_t axis, std::int64_t size, std::int64_t step), requires(D < kMaxRank),
                ops::unfold(std::move(self), axis, size, step))
    /// Moves element i of an axis to (i + shift) mod n.
    BURN_METHOD(Tensor, roll_dim(std::int64_t shift, std::int64_t axis), , ops::roll_dim(std::move(self), axis, shift))
    BURN_METHOD(Tensor, roll(Dims shifts, Dims axes), , ops::roll(std::move(self), shifts, axes))

    // ---- parts
    /// Ranges of the leading axes, each {start, end, step}; bounds may be negative and are clamped.
    ///
    /// Example   x.slice({{0, 2}, {1, -1}})
    BURN_METHOD(Tensor, slice(SliceList ranges), , ops::slice(std::move(self), std::move(ranges)))
    BURN_METHOD(Tensor, slice_assign(SliceList ranges, Tensor values), ,
                ops::slice_assign(std::move(self), std::move(ranges), std::move(values).handle()))
    BURN_METHOD(Tensor, slice_fill(SliceList ranges, Scalar value), , ops::slice_fill(std::move(self), std::move(ranges), value))
    BURN_METHOD(Tensor, slice_dim(std::int64_t axis, Slice range), , ops::slice_dim(std::move(self), axis, range))
    /// `length` elements from `start` on, which must exist.
    BURN_METHOD(Tensor, narrow(std::int64_t axis, std::int64_t start, std::int64_t length), ,
                ops::narrow(std::move(self), axis, start, length))
    /// One element of an axis, which goes away.
    BURN_METHOD(Shallower, select_dim(std::int64_t axis, std::int64_t index), requires(D >= 2),
                ops::select_dim(std::move(self), axis, index))
    /// At most `chunks` pieces of equal size; the last may be smaller.
    List chunk(std::int64_t chunks, std::int64_t axis) const { return list_from(ops::chunk(handle_, chunks, axis)); }
    /// Pieces of `size`; the last has what is left.
    List split(std::int64_t size, std::int64_t axis) const { return list_from(ops::split(handle_, size, axis)); }
    List split_with_sizes(std::span<const std::int64_t> sizes, std::int64_t axis) const {
        return list_from(ops::split_with_sizes(handle_, sizes, axis));
    }
    /// The slices of size 1 along an axis, made as they are asked for: `for (auto row : x.iter_dim(0))`.
    auto iter_dim(std::int64_t axis) const { return IterDim<Tensor>(*this, normalize_axis(axis, D, "iter_dim")); }

    // ---- joining
    /// Tensors one after the other along an axis.
    static Tensor cat(std::span<const Tensor> tensors, std::int64_t axis) { return Tensor(ops::cat(handles_of(tensors), axis)); }
    static Tensor cat(std::initializer_list<Tensor> tensors, std::int64_t axis) {
        return cat(std::span<const Tensor>(tensors.begin(), tensors.size()), axis);
    }
    /// Tensors of one shape side by side along a new axis.
    static Deeper stack(std::span<const Tensor> tensors, std::int64_t axis)
        requires(D < kMaxRank)
    {
        return Deeper(ops::stack(handles_of(tensors), axis));
    }
    static Deeper stack(std::initializer_list<Tensor> tensors, std::int64_t axis)
        requires(D < kMaxRank)
    {
        return stack(std::span<const Tensor>(tensors.begin(), tensors.size()), axis);
    }
    BURN_METHOD(Tensor, repeat_dim(std::int64_t axis, std::int64_t times), , ops::repeat_dim(std::move(self), axis, times))
    BURN_METHOD(Tensor, repeat(Sizes<D> times), , ops::repeat(std::move(self), times.shape()))
    /// A border: {before, after} for each of the last axes.
    ///
    /// Example   x.pad({{1, 1}, {0, 2}}, PadMode::Constant, 0.5)
    BURN_METHOD(Tensor, pad(std::initializer_list<Padding> paddings, PadMode mode = PadMode::Constant, Scalar value = 0), ,
                detail::pad(std::move(self), {paddings.begin(), paddings.size()}, mode, value))

    // ---- indices
    /// y[i, j, ..] = x[at[i, j, ..], j, ..] for axis 0: an element for every index.
    ///
    /// Errors    IndexError when an index is out of range; so for all of these
    BURN_METHOD(Tensor, gather(std::int64_t axis, Indices at), , ops::gather(std::move(self), axis, std::move(at).handle()))
    /// Writes values to the places that gather would read.
    BURN_METHOD(Tensor, scatter(std::int64_t axis, Indices at, Tensor values, IndexingUpdate update), ,
                ops::scatter(std::move(self), axis, std::move(at).handle(), std::move(values).handle(), update))
    /// Whole rows of an axis.
    BURN_METHOD(Tensor, select(std::int64_t axis, IndexList at), , ops::select(std::move(self), axis, std::move(at).handle()))
    /// Writes values to the rows that select would read.
    BURN_METHOD(Tensor, select_assign(std::int64_t axis, IndexList at, Tensor values, IndexingUpdate update), ,
                ops::select_assign(std::move(self), axis, std::move(at).handle(), std::move(values).handle(), update))
    /// Rows by indices of any shape, whose axes take the place of `axis`.
    template <std::size_t E>
    Tensor<B, D + E - 1, K> take(std::int64_t axis, Tensor<B, E, Int> at) const {
        return Tensor<B, D + E - 1, K>(ops::take(handle_, axis, std::move(at).handle()));
    }
    /// Elements or blocks by the indices of the leading axes, which lie along the last axis of `at`; `E` is the rank of the result.
    template <std::size_t E, std::size_t F>
    Tensor<B, E, K> gather_nd(Tensor<B, F, Int> at) const {
        return Tensor<B, E, K>(ops::gather_nd(handle_, std::move(at).handle()));
    }
    template <std::size_t E, std::size_t F>
    Tensor scatter_nd(Tensor<B, F, Int> at, Tensor<B, E, K> values, IndexingUpdate update) const& {
        return Tensor(ops::scatter_nd(handle_, std::move(at).handle(), std::move(values).handle(), update));
    }
    template <std::size_t E, std::size_t F>
    Tensor scatter_nd(Tensor<B, F, Int> at, Tensor<B, E, K> values, IndexingUpdate update) && {
        return Tensor(ops::scatter_nd(std::move(handle_), std::move(at).handle(), std::move(values).handle(), update));
    }
    /// The elements where the mask holds, in row-major order. Waits for the mask, since the result's size depends on it.
    Flat mask_select(Tensor<B, D, Bool> mask) const { return Flat(detail::mask_select(handle_, mask.handle())); }
    /// The index of every true element along each axis: D tensors of one size. Waits for the values.
    auto nonzero() const
        requires std::same_as<K, Bool>
    {
        SmallVector<Tensor<B, 1, Int>, 4> result;
        for (ops::Handle& axis : detail::nonzero(handle_)) result.push_back(Tensor<B, 1, Int>(std::move(axis)));
        return result;
    }
    /// The same as rows.
    ///
    /// Shapes    [number of true elements, D]
    Tensor<B, 2, Int> argwhere() const
        requires std::same_as<K, Bool>
    {
        return Tensor<B, 2, Int>(detail::argwhere(handle_));
    }
    /// 1 at the place that each index names along a new last axis of `classes`, 0 elsewhere.
    BURN_METHOD(Deeper, one_hot(std::int64_t classes), requires(D < kMaxRank && std::same_as<K, Int>),
                ops::one_hot(std::move(self), classes))
    /// `on` and `off` along a new axis at `axis`, as a tensor of another kind; negative indices count from the end.
    template <NumericKind Other = Int>
    Tensor<B, D + 1, Other> one_hot_fill(std::int64_t classes, Scalar on, Scalar off, std::int64_t axis) const
        requires(D < kMaxRank && std::same_as<K, Int>)
    {
        const DType dtype = Other::default_dtype(handle_.engine());
        return Tensor<B, D + 1, Other>(ops::one_hot_fill(handle_, classes, on, off, axis, dtype));
    }
    /// Zeros below (triu) or above (tril) diagonal `offset` of the last two axes.
    BURN_METHOD(Tensor, triu(std::int64_t offset = 0), requires(D >= 2 && NumericKind<K>), ops::triu(std::move(self), offset))
    BURN_METHOD(Tensor, tril(std::int64_t offset = 0), requires(D >= 2 && NumericKind<K>), ops::tril(std::move(self), offset))

    // ---- order
    /// An axis in ascending order; stable, NaN last.
    BURN_METHOD(Tensor, sort(std::int64_t axis), requires NumericKind<K>, ops::sort(std::move(self), axis))
    BURN_METHOD(Tensor, sort_descending(std::int64_t axis), requires NumericKind<K>, ops::sort(std::move(self), axis, true))
    BURN_METHOD(Indices, argsort(std::int64_t axis), requires NumericKind<K>, ops::argsort(std::move(self), axis))
    BURN_METHOD(Indices, argsort_descending(std::int64_t axis), requires NumericKind<K>, ops::argsort(std::move(self), axis, true))
    std::pair<Tensor, Indices> sort_with_indices(std::int64_t axis) const
        requires NumericKind<K>
    {
        return pair_from(ops::sort_with_indices(handle_, axis));
    }
    std::pair<Tensor, Indices> sort_descending_with_indices(std::int64_t axis) const
        requires NumericKind<K>
    {
        return pair_from(ops::sort_with_indices(handle_, axis, true));
    }
    /// The k largest of an axis, largest first; the lowest index first among equals.
    BURN_METHOD(Tensor, topk(std::int64_t k, std::int64_t axis), requires NumericKind<K>, ops::topk(std::move(self), axis, k))
    BURN_METHOD(Indices, argtopk(std::int64_t k, std::int64_t axis), requires NumericKind<K>, ops::argtopk(std::move(self), axis, k))
    std::pair<Tensor, Indices> topk_with_indices(std::int64_t k, std::int64_t axis) const
        requires NumericKind<K>
    {
        return pair_from(ops::topk_with_indices(handle_, axis, k));
    }
    /// Sum, product, largest and smallest of the elements so far along an axis.
    BURN_METHOD(Tensor, cumsum(std::int64_t axis), requires NumericKind<K>, ops::cumsum(std::move(self), axis))
    BURN_METHOD(Tensor, cumprod(std::int64_t axis), requires NumericKind<K>, ops::cumprod(std::move(self), axis))
    BURN_METHOD(Tensor, cummax(std::int64_t axis), requires NumericKind<K>, ops::cummax(std::move(self), axis))
    BURN_METHOD(Tensor, cummin(std::int64_t axis), requires NumericKind<K>, ops::cummin(std::move(self), axis))

    // ---- reductions: of all elements (of shape [1]), along one axis, or along several; reduced axes stay with size 1
#define BURN_RANK_ONE(KIND) Tensor<B, 1, KIND>
#define BURN_REDUCTION(NAME, KINDS, RESULT)                                                                  \
    BURN_METHOD(BURN_RANK_ONE(RESULT), NAME(), requires KINDS<K>, ops::over_all(ops::NAME, std::move(self))) \
    BURN_METHOD(BURN_KIND(RESULT), NAME##_dim(std::int64_t axis), requires KINDS<K>, ops::NAME(std::move(self), {axis}))
#define BURN_REDUCTION_DIMS(NAME) \
    BURN_METHOD(Tensor, NAME##_dims(Dims axes), requires NumericKind<K>, ops::NAME(std::move(self), axes))
    BURN_REDUCTION(sum, NumericKind, K)
    BURN_REDUCTION(mean, NumericKind, K)
    BURN_REDUCTION(prod, NumericKind, K)
    BURN_REDUCTION(max, NumericKind, K)
    BURN_REDUCTION(min, NumericKind, K)
    BURN_REDUCTION(max_abs, NumericKind, K)
    BURN_REDUCTION(any, TensorKind, Bool)
    BURN_REDUCTION(all, TensorKind, Bool)
    BURN_REDUCTION_DIMS(sum)
    BURN_REDUCTION_DIMS(mean)
    BURN_REDUCTION_DIMS(prod)
    BURN_REDUCTION_DIMS(max)
    BURN_REDUCTION_DIMS(min)
    BURN_REDUCTION_DIMS(max_abs)
    /// Where along an axis the largest value is: the first NaN, else the first of equals.
    BURN_METHOD(BURN_KIND(Int), argmax(std::int64_t axis), requires NumericKind<K>, ops::argmax(std::move(self), axis))
    BURN_METHOD(BURN_KIND(Int), argmin(std::int64_t axis), requires NumericKind<K>, ops::argmin(std::move(self), axis))
    /// Variance along an axis, with divisor n - 1.
    BURN_METHOD(Tensor, var(std::int64_t axis), requires FloatKind<K>, ops::var(std::move(self), {axis}, 1))
    /// Variance along an axis, with divisor n.
    BURN_METHOD(Tensor, var_bias(std::int64_t axis), requires FloatKind<K>, ops::var(std::move(self), {axis}, 0))
    /// Variance and mean along an axis.
    std::pair<Tensor, Tensor> var_mean(std::int64_t axis) const
        requires FloatKind<K>
    {
        return {var(axis), mean_dim(axis)};
    }
    std::pair<Tensor, Tensor> var_mean_bias(std::int64_t axis) const
        requires FloatKind<K>
    {
        return {var_bias(axis), mean_dim(axis)};
    }
#undef BURN_RANK_ONE
#undef BURN_REDUCTION
#undef BURN_REDUCTION_DIMS

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
};

}  // namespace burn

#include <burn/tensor/operators.h>
