#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/reduction/scan_kernels.h>
#include <burn/backends/ndarray/strided.h>

/// Every scan walks the places beside its axis as runs and its axis inside them. Where neighbours beside the axis lie closer
/// than neighbours along it, a block of places goes along the axis together, so that memory is read in order.

namespace burn::ndarray {

namespace {

/// The places that go along the axis together; their running values fit the first-level cache, and a small stack.
constexpr std::int64_t kBlock = 512;

/// The type running values are kept in. Integers wrap, which unsigned arithmetic may.
template <class T>
using Running =
    std::conditional_t<std::is_integral_v<T>, std::uint64_t,
                       std::conditional_t<std::is_same_v<T, f16> || std::is_same_v<T, bf16>, float, double>>;

/// A scan's axis: how many elements it has, and how far they lie apart in each of the run's tensors, in bytes.
struct Axis {
    std::int64_t count;
    std::array<std::int64_t, 3> steps;
    bool streams;  ///< the results go past the caches
};

/// Neighbours beside the axis lie closer together than neighbours along it.
bool beside_is_closer(std::int64_t beside, std::int64_t along) {
    return (beside < 0 ? -beside : beside) < (along < 0 ? -along : along);
}

/// The axis from one place on.
template <class T, class Combine>
void accumulate_along(std::byte* to, const std::byte* from, const Axis& axis) {
    auto running = static_cast<Running<T>>(Combine::kStart);
    for (std::int64_t j = 0; j < axis.count; ++j) {
        running =
            Combine::apply(running, static_cast<Running<T>>(*reinterpret_cast<const T*>(from + j * axis.steps[1])));
        *reinterpret_cast<T*>(to + j * axis.steps[0]) = T(running);
    }
}

/// One step along the axis for a block of places.
template <class T, class Combine>
void accumulate_beside(Running<T>* running, std::int64_t places, std::byte* to, std::int64_t to_stride,
                       const std::byte* from, std::int64_t from_stride) {
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
    if (to_stride == kSize && from_stride == kSize) {  // in this form compilers make vectors of it
        T* results = reinterpret_cast<T*>(to);
        const T* values = reinterpret_cast<const T*>(from);
        for (std::int64_t i = 0; i < places; ++i)
            running[i] = Combine::apply(running[i], static_cast<Running<T>>(values[i]));
        for (std::int64_t i = 0; i < places; ++i) results[i] = T(running[i]);
        return;
    }
    for (std::int64_t i = 0; i < places; ++i) {
        running[i] =
            Combine::apply(running[i], static_cast<Running<T>>(*reinterpret_cast<const T*>(from + i * from_stride)));
        *reinterpret_cast<T*>(to + i * to_stride) = T(running[i]);
    }
}

/// The type that ScanKernels know elements of type T by; void where they have none.
template <class T>
using ScanWord = std::conditional_t<
    std::is_same_v<T, float> || std::is_same_v<T, double>, T,
    std::conditional_t<std::is_integral_v<T> && sizeof(T) == 4, std::uint32_t,
                       std::conditional_t<std::is_integral_v<T> && sizeof(T) == 8, std::uint64_t, void>>>;

/// Whole rows side by side, where the axis is the innermost of both tensors; returns whether it is.
template <class T, class Combine>
bool accumulate_side_by_side(const StridedRun& run, const Axis& axis) {
    using Word = ScanWord<T>;
    if constexpr (!std::is_void_v<Word>) {
        constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
        if (axis.steps[0] != kSize || axis.steps[1] != kSize || run.count < kLeastScanRows) return false;
        const ScanKernels<Word>& kernels = scan_kernels<Word>();
        (std::is_same_v<Combine, Plus> ? kernels.sum : kernels.product)(
            {run.data[0], run.strides[0], run.data[1], run.strides[1], run.count, axis.count, axis.streams});
        return true;
    } else {
        return false;
    }
}

template <class T, class Combine>
void accumulate_run(const StridedRun& run, const Axis& axis) {
    if (run.count == 1 || !beside_is_closer(run.strides[1], axis.steps[1])) {
        if (accumulate_side_by_side<T, Combine>(run, axis)) return;
        for (std::int64_t i = 0; i < run.count; ++i) {
            accumulate_along<T, Combine>(run.data[0] + i * run.strides[0], run.data[1] + i * run.strides[1], axis);
        }
        return;
    }
    for (std::int64_t begin = 0; begin < run.count; begin += kBlock) {
        const std::int64_t places = run.count - begin < kBlock ? run.count - begin : kBlock;
        Running<T> running[kBlock];
        for (std::int64_t i = 0; i < places; ++i) running[i] = static_cast<Running<T>>(Combine::kStart);
        for (std::int64_t j = 0; j < axis.count; ++j) {
            accumulate_beside<T, Combine>(running, places, run.data[0] + begin * run.strides[0] + j * axis.steps[0],
                                          run.strides[0], run.data[1] + begin * run.strides[1] + j * axis.steps[1],
                                          run.strides[1]);
        }
    }
}

/// Whether `value` takes the place of the extremum so far. The first NaN does, and nothing takes its place.
template <bool kLargest, class T>
bool takes_over(T value, T extremum) {
    if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) {
        return takes_over<kLargest>(static_cast<float>(value), static_cast<float>(extremum));
    } else {
        const bool is_nan = value != value && extremum == extremum;
        return is_nan || (kLargest ? value > extremum : value < extremum);
    }
}

/// An extremum so far and where it is.
template <class T>
struct Place {
    T value;
    std::int64_t index;
};

/// One place of one step along the axis.
template <bool kLargest, class T>
void extremum_step(Place<T>& so_far, std::int64_t step, std::byte* value, std::byte* index, const std::byte* from) {
    const T candidate = *reinterpret_cast<const T*>(from);
    if (step == 0 || takes_over<kLargest>(candidate, so_far.value)) so_far = {candidate, step};
    *reinterpret_cast<T*>(value) = so_far.value;
    *reinterpret_cast<std::int64_t*>(index) = so_far.index;
}

template <bool kLargest, class T>
void extremum_run(const StridedRun& run, const Axis& axis) {
    constexpr std::int64_t kPlaces = kBlock / 2;  // they take more room
    const std::int64_t width = run.count > 1 && beside_is_closer(run.strides[2], axis.steps[2]) ? kPlaces : 1;
    Place<T> so_far[kPlaces];
    for (std::int64_t begin = 0; begin < run.count; begin += width) {
        const std::int64_t places = run.count - begin < width ? run.count - begin : width;
        std::byte* values = run.data[0] + begin * run.strides[0];
        std::byte* indices = run.data[1] + begin * run.strides[1];
        const std::byte* from = run.data[2] + begin * run.strides[2];
        for (std::int64_t j = 0; j < axis.count; ++j) {
            for (std::int64_t i = 0; i < places; ++i) {
                extremum_step<kLargest, T>(so_far[i], j, values + i * run.strides[0], indices + i * run.strides[1],
                                           from + i * run.strides[2]);
            }
            values += axis.steps[0];
            indices += axis.steps[1];
            from += axis.steps[2];
        }
    }
}

/// Runs `body` over the places beside `axis` of tensors of one shape.
void run_beside(std::size_t along, std::initializer_list<const NdTensor*> tensors,
                void (*body)(const StridedRun&, const Axis&)) {
    const TensorSpec& result = (*tensors.begin())->spec();
    const Shape& whole = result.shape;
    Shape beside = whole;
    beside[along] = 1;
    Axis axis{whole[along], {}, whole.numel() * static_cast<std::int64_t>(size_of(result.dtype)) >= kStreamedBytes};
    StridedLoop loop(beside);
    std::size_t i = 0;
    for (const NdTensor* tensor : tensors) {
        Layout layout = tensor->layout();
        layout.shape[along] = 1;
        const std::size_t size = size_of(tensor->spec().dtype);
        loop.add(tensor->block()->data(), layout, size);
        axis.steps[i++] = layout.strides[along] * static_cast<std::int64_t>(size);
    }
    loop.run([&](const StridedRun& run) { body(run, axis); }, axis.count);
}

template <class Combine>
ops::Handle accumulate(Args& args, std::int64_t axis) {
    ops::Handle result = args.make_result();
    const NdTensor& x = args.input(0);
    visit_dtype(x.spec().dtype, [&]<class T>(T) {
        if constexpr (!std::is_same_v<T, bool>) {
            run_beside(static_cast<std::size_t>(axis), {&NdTensor::of(result), &x}, accumulate_run<T, Combine>);
        }
    });
    return result;
}

template <bool kLargest>
ops::HandleList extremum(Args& args, std::int64_t axis) {
    ops::HandleList results = ops::list_of(args.make_result(0), args.make_result(1));
    const NdTensor& x = args.input(0);
    visit_dtype(x.spec().dtype, [&]<class T>(T) {
        if constexpr (!std::is_same_v<T, bool>) {
            run_beside(static_cast<std::size_t>(axis), {&NdTensor::of(results[0]), &NdTensor::of(results[1]), &x},
                       extremum_run<kLargest, T>);
        }
    });
    return results;
}

}  // namespace

ops::Handle run(const ops::CumSum& op, Args& args) { return accumulate<Plus>(args, op.axis); }

ops::Handle run(const ops::CumProd& op, Args& args) { return accumulate<Times>(args, op.axis); }

ops::HandleList run(const ops::CumMax& op, Args& args) { return extremum<true>(args, op.axis); }

ops::HandleList run(const ops::CumMin& op, Args& args) { return extremum<false>(args, op.axis); }

}  // namespace burn::ndarray
