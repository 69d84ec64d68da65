#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/random/random_kernels.h>
#include <burn/base/parallel.h>
#include <burn/core/convert.h>

namespace burn::ndarray {

namespace {

/// Words of the stream that are drawn at once, before they are turned into elements: 4 KiB, on the stack.
constexpr std::int64_t kChunkBlocks = 256;
/// Blocks worth handing to another thread: some 20 microseconds.
constexpr std::int64_t kParallelBlocks = 4096;

using Words = const std::uint32_t*;

std::uint64_t join(Words w) { return (std::uint64_t{w[1]} << 32) | w[0]; }

/// The upper half of a 128-bit product; bare metal has no 128-bit type.
std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t a_low = static_cast<std::uint32_t>(a);
    const std::uint64_t b_low = static_cast<std::uint32_t>(b);
    const std::uint64_t middle = (a >> 32) * b_low + ((a_low * b_low) >> 32);
    const std::uint64_t other = a_low * (b >> 32) + static_cast<std::uint32_t>(middle);
    return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}

/// The type in which Float elements are computed.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;

/// `bits`: those of Random::unit_bits.
template <class T>
Wide<T> unit(Words w, int bits) {
    if constexpr (std::is_same_v<T, double>) {
        return static_cast<double>(join(w) >> (64 - bits)) * (1.0 / static_cast<double>(std::uint64_t{1} << bits));
    } else {
        // Signed: at most 24 bits, which every instruction set converts.
        return static_cast<float>(static_cast<std::int32_t>(w[0] >> (32 - bits))) *
               (1.0f / static_cast<float>(1u << bits));
    }
}

template <class T>
void fill_uniform_float(const ops::Random& op, T* out, std::int64_t count, Words words) {
    const ops::Random::Bounds bounds = op.bounds();
    const auto low = static_cast<Wide<T>>(bounds.low), range = static_cast<Wide<T>>(bounds.range);
    const auto last = static_cast<Wide<T>>(bounds.last);
    const int bits = op.unit_bits();
    for (std::int64_t i = 0; i < count; ++i) {
        constexpr std::int64_t kWords = sizeof(T) == 8 ? 2 : 1;
        const auto value = static_cast<Wide<T>>(T(low + range * unit<T>(words + i * kWords, bits)));
        out[i] = T(value < last ? value : last);
    }
}

/// A whole number from -2^63 to 2^64, modulo 2^64.
std::uint64_t whole(double value) {
    if (value >= 0x1p64) return 0;
    return value < 0 ? 0 - static_cast<std::uint64_t>(-value) : static_cast<std::uint64_t>(value);
}

template <class T>
void fill_uniform_int(const ops::Random& op, T* out, std::int64_t count, Words words) {
    const std::uint64_t low = whole(op.a);
    const std::uint64_t range = whole(op.b) - low;  // 0 where it is 2^64
    for (std::int64_t i = 0; i < count; ++i) {
        std::uint64_t step;
        if constexpr (sizeof(T) == 8) {
            const std::uint64_t word = join(words + 2 * i);
            step = range != 0 || op.a == op.b ? multiply_high(word, range) : word;
        } else {
            step = (words[i] * range) >> 32;
        }
        out[i] = static_cast<T>(low + step);
    }
}

template <class T>
void fill_bernoulli(const ops::Random& op, T* out, std::int64_t count, Words words) {
    const std::uint64_t threshold = op.threshold();
    // Looked up, not chosen: a processor cannot predict these branches, and mispredicts half of them.
    const T values[2] = {convert_element<T>(false), convert_element<T>(true)};
    for (std::int64_t i = 0; i < count; ++i) out[i] = values[words[i] < threshold ? 1 : 0];
}

template <class T>
void fill_normal(const ops::Random& op, T* out, std::int64_t count, Words words) {
    const auto mean = static_cast<float>(op.a);
    const auto std = static_cast<float>(op.b);
    if constexpr (std::is_same_v<T, float>) {
        random_kernels().normal(words, count, mean, std, out);
    } else {
        float numbers[kChunkBlocks * 4];
        random_kernels().normal(words, count, mean, std, numbers);
        for (std::int64_t i = 0; i < count; ++i) out[i] = T(numbers[i]);
    }
}

void fill_normal(const ops::Random& op, double* out, std::int64_t count, Words words) {
    const auto number = [words](std::int64_t i) { return static_cast<double>(join(words + 2 * i)); };
    for (std::int64_t i = 0; i < count; i += 2) {
        const double r = __builtin_sqrt(-2 * __builtin_log((number(i) + 0.5) * 0x1p-64));
        const double t = 6.283185307179586476925 * (number(i + 1) * 0x1p-64);
        out[i] = op.a + op.b * (r * __builtin_cos(t));
        if (i + 1 < count) out[i + 1] = op.a + op.b * (r * __builtin_sin(t));
    }
}

template <class T>
void fill(const ops::Random& op, T* out, std::int64_t count, Words words) {
    constexpr bool is_floating = kind_of(dtype_of<T>) == Kind::Float;
    if (op.law == RandomLaw::Bernoulli) return fill_bernoulli(op, out, count, words);
    if constexpr (is_floating) {
        if (op.law == RandomLaw::Normal) return fill_normal(op, out, count, words);
        return fill_uniform_float(op, out, count, words);
    } else if constexpr (!std::is_same_v<T, bool>) {
        return fill_uniform_int(op, out, count, words);
    }
}

}  // namespace

ops::Handle run(const ops::Random& op, Args& args) {
    ops::Handle result = args.make_result();
    const std::int64_t numel = op.shape.numel();
    const std::int64_t per_block = 4 / op.words();
    const RandomKernels& kernels = random_kernels();
    visit_dtype(op.dtype, [&]<class T>(T) {
        T* const out = NdTensor::of(result).data<T>();
        parallel_for(op.blocks(), kParallelBlocks, [&](std::int64_t begin, std::int64_t end) {
            alignas(64) std::uint32_t words[kChunkBlocks * 4];
            for (std::int64_t block = begin; block < end; block += kChunkBlocks) {
                const std::int64_t blocks = end - block < kChunkBlocks ? end - block : kChunkBlocks;
                kernels.draw(static_cast<std::uint64_t>(op.key),
                             static_cast<std::uint64_t>(op.counter) + static_cast<std::uint64_t>(block), blocks, words);
                const std::int64_t first = block * per_block;
                const std::int64_t left = numel - first;
                fill(op, out + first, left < blocks * per_block ? left : blocks * per_block, words);
            }
        });
    });
    return result;
}

}  // namespace burn::ndarray
