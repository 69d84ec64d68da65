// The register tile of the matrix product and the packing that feeds it; see gemm_kernels.h for the layouts.
//
// Included only by the source files of one instruction set each (see gemm_vector.h).
#pragma once

#include <burn/backends/ndarray/product/gemm_kernels.h>
#include <burn/backends/ndarray/product/gemm_vector.h>
#include <burn/backends/ndarray/product/gemv_microkernel.h>

namespace burn::ndarray {
namespace {

// Rows and vectors of the tile: as many accumulators as registers allow beside a row of B and one broadcast element of A. And how
// many rows of B, which come from the second cache, are asked for ahead of their use: 3 to 8 % faster where it was measured, on a
// Xeon at 1024 and 2048; 32 rows rather than 8 are 8 % faster at 256 on two threads.
#if defined(__AVX512F__)
constexpr int kTileRows = 14;
constexpr int kTileVectors = 2;
constexpr int kRowsAhead = 32;
#elif defined(__AVX2__) || !defined(__aarch64__)
constexpr int kTileRows = 6;
constexpr int kTileVectors = 2;
constexpr int kRowsAhead = 0;
#else
constexpr int kTileRows = 8;
constexpr int kTileVectors = 3;
constexpr int kRowsAhead = 0;
#endif

// From how many steps on C is fetched before the sums: with 10, not to ask takes 0.96 of the time on Zen 5.
constexpr int kDepthToFetch = 32;

// acc[r][v] += A(r, p) * B(p)[v] for every p, A(r, p) being at a[r * a_row_stride + p * a_depth_stride] and B's row p at
// b_row(p). With strides that the compiler knows it needs one pointer to A, else one for every four rows.
template <class T, int Rows, int Vectors, class RowOfB>
[[gnu::always_inline]] inline void accumulate_tile(int64_t depth, const T* a, int64_t a_row_stride,
                                                   int64_t a_depth_stride, RowOfB b_row,
                                                   Vector<T> (&acc)[Rows][Vectors]) {
    constexpr int groups = (Rows + 3) / 4;
    const T* row[groups];
    unroll<groups>([&](auto g) __attribute__((always_inline)) { row[g] = a + g * 4 * a_row_stride; });
    const int64_t three_rows = 3 * a_row_stride;
    for (int64_t p = 0; p < depth; ++p) {
        const T* from = b_row(p);
        Vector<T> b[Vectors];
        unroll<Vectors>([&](auto v) __attribute__((always_inline)) { b[v] = load<T>(from + v * kLanes<T>); });
        unroll<Rows>([&](auto r) __attribute__((always_inline)) {
            constexpr int within = r % 4;
            const Vector<T> element = broadcast<T>(row[r / 4][within == 3 ? three_rows : within * a_row_stride]);
            unroll<Vectors>(
                [&](auto v) __attribute__((always_inline)) { acc[r][v] = multiply_add<T>(element, b[v], acc[r][v]); });
        });
        unroll<groups>([&](auto g) __attribute__((always_inline)) { row[g] += a_depth_stride; });
    }
}

template <class T, int Rows, int Vectors>
[[gnu::always_inline]] inline void write_tile(const Vector<T> (&acc)[Rows][Vectors], int columns, T* c,
                                              int64_t c_stride, bool accumulate) {
    const int last = columns - (Vectors - 1) * kLanes<T>;  // lanes of the last vector that belong to C
    unroll<Rows>([&](auto r) __attribute__((always_inline)) {
        T* row = c + r * c_stride;
        unroll<Vectors - 1>([&](auto v) __attribute__((always_inline)) {
            T* to = row + v * kLanes<T>;
            store<T>(to, accumulate ? load<T>(to) + acc[r][v] : acc[r][v]);
        });
        T* to = row + (Vectors - 1) * kLanes<T>;
        const Vector<T> value = acc[r][Vectors - 1];
        if (last == kLanes<T>) {
            store<T>(to, accumulate ? load<T>(to) + value : value);
        } else {
            store_first<T>(to, accumulate ? load_first<T>(to, last) + value : value, last);
        }
    });
}

template <class T, int Rows, int Vectors>
void tile(int columns, int64_t depth, const T* a, int64_t a_row_stride, int64_t a_depth_stride, const T* b,
          int64_t b_stride, T* c, int64_t c_stride, bool accumulate, Later later) {
    const char* needed_later = static_cast<const char*>(later.data);
    // C is often further away than the operands: fetched now, it is there when the sums are, unless these take no time.
    if (depth >= kDepthToFetch) {
        unroll<Rows>([&](auto r) __attribute__((always_inline)) {
            unroll<Vectors>([&](auto v) __attribute__((always_inline)) {
                __builtin_prefetch(c + r * c_stride + v * kLanes<T>, 1);
            });
        });
    }
    Vector<T> acc[Rows][Vectors];
    unroll<Rows>([&](auto r) __attribute__((always_inline)) {
        unroll<Vectors>([&](auto v) __attribute__((always_inline)) { acc[r][v] = Vector<T>{}; });
    });
    accumulate_tile<T, Rows, Vectors>(
        depth, a, a_row_stride, a_depth_stride,
        [&](int64_t p) __attribute__((always_inline)) {
            const T* row = b + p * b_stride;
            if constexpr (kRowsAhead > 0) {
                unroll<Vectors>([&](auto v) __attribute__((always_inline)) {
                    __builtin_prefetch(row + kRowsAhead * b_stride + v * kLanes<T>);
                });
                __builtin_prefetch(needed_later);
                needed_later += later.step;
            }
            return row;
        },
        acc);
    write_tile<T, Rows, Vectors>(acc, columns, c, c_stride, accumulate);
}

template <class T>
using Tile = void (*)(int columns, int64_t depth, const T* a, int64_t a_row_stride, int64_t a_depth_stride, const T* b,
                      int64_t b_stride, T* c, int64_t c_stride, bool accumulate, Later later);

// The tiles of every height, for 1 to kTileVectors vectors.
template <class T>
struct Tiles {
    Tile<T> of[kTileVectors][kTileRows];
};

template <class T, int Vectors, int... R>
constexpr void fill_tiles(Tiles<T>& tiles, std::integer_sequence<int, R...>) {
    ((tiles.of[Vectors - 1][R] = &tile<T, R + 1, Vectors>), ...);
}

template <class T, int... V>
constexpr Tiles<T> make_tiles(std::integer_sequence<int, V...>) {
    Tiles<T> tiles{};
    (fill_tiles<T, V + 1>(tiles, std::make_integer_sequence<int, kTileRows>{}), ...);
    return tiles;
}

template <class T>
void any_tile(int rows, int columns, int64_t depth, const T* a, int64_t a_row_stride, int64_t a_depth_stride,
              const T* b, int64_t b_stride, T* c, int64_t c_stride, bool accumulate, Later later) {
    static constexpr Tiles<T> tiles = make_tiles<T>(std::make_integer_sequence<int, kTileVectors>{});
    const int vectors = (columns + kLanes<T> - 1) / kLanes<T>;
    tiles.of[vectors - 1][rows - 1](columns, depth, a, a_row_stride, a_depth_stride, b, b_stride, c, c_stride,
                                    accumulate, later);
}

// Lanes of the result alternate between x and y in runs of Run: the step of the transposition below.
template <class T, int Run, bool High>
[[gnu::always_inline]] inline Vector<T> interleave(Vector<T> x, Vector<T> y) {
    return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
        // Lane I: run number I / Run; even runs come from x, odd ones from y, both from the run pair's own half.
        return __builtin_shufflevector(
            x, y, ((I / Run) % 2 == 0 ? I + (High ? Run : 0) : kLanes<T> + I - (High ? 0 : Run))...);
    }(std::make_integer_sequence<int, kLanes<T>>{});
}

// Transposes a square of lanes x lanes elements in registers: log2(lanes) rounds that exchange off-diagonal squares of
// side Run between rows Run apart.
template <class T, int Run = kLanes<T> / 2>
[[gnu::always_inline]] inline void transpose(Vector<T> (&rows)[kLanes<T>]) {
    unroll<kLanes<T>>([&](auto i) __attribute__((always_inline)) {
        if constexpr ((i / Run) % 2 == 0) {
            const Vector<T> x = rows[i];
            const Vector<T> y = rows[i + Run];
            rows[i] = interleave<T, Run, false>(x, y);
            rows[i + Run] = interleave<T, Run, true>(x, y);
        }
    });
    if constexpr (Run > 1) transpose<T, Run / 2>(rows);
}

// to[p * step + i] = from[i * stride + p] for i < count <= lanes and p < depth: rows become columns. Writes whole
// vectors; what lies beyond `count` in one is overwritten by the next, or is slack (see pack_rows).
template <class T>
void pack_transposed(int count, int64_t depth, const T* from, int64_t stride, T* to, int64_t step) {
    int64_t p = 0;
    for (; p + kLanes<T> <= depth; p += kLanes<T>) {
        Vector<T> rows[kLanes<T>];
        for (int i = 0; i < kLanes<T>; ++i) rows[i] = i < count ? load<T>(from + i * stride + p) : Vector<T>{};
        transpose<T>(rows);
        for (int i = 0; i < kLanes<T>; ++i) store<T>(to + (p + i) * step, rows[i]);
    }
    const int rest = static_cast<int>(depth - p);
    if (rest == 0) return;
    Vector<T> rows[kLanes<T>];
    for (int i = 0; i < kLanes<T>; ++i) {
        rows[i] = i < count ? load_first<T>(from + i * stride + p, rest) : Vector<T>{};
    }
    transpose<T>(rows);
    for (int i = 0; i < rest; ++i) store<T>(to + (p + i) * step, rows[i]);
}

// Copies `count` numbers that lie next to each other, `depth` times: columns [0, count) of every row. Writes whole vectors
// (see pack_transposed).
template <class T>
void pack_copied(int count, int64_t depth, const T* from, int64_t depth_stride, T* to, int64_t step) {
    const int whole = count / kLanes<T> * kLanes<T>;
    for (int64_t p = 0; p < depth; ++p) {
        for (int i = 0; i < whole; i += kLanes<T>) store<T>(to + i, load<T>(from + i));
        if (whole < count) store<T>(to + whole, load_first<T>(from + whole, count - whole));
        from += depth_stride;
        to += step;
    }
}

template <class T>
void pack_rows(int rows, int64_t depth, const T* a, int64_t row_stride, int64_t depth_stride, T* out) {
    if (row_stride == 1) return pack_copied<T>(rows, depth, a, depth_stride, out, rows);
    if (depth_stride == 1 && rows > 1) {
        // Strips of at most a vector's rows. What a strip writes beyond its rows belongs to the first strip of the next p,
        // so that strip goes last.
        for (int i = (rows - 1) / kLanes<T> * kLanes<T>; i >= 0; i -= kLanes<T>) {
            const int count = rows - i < kLanes<T> ? rows - i : kLanes<T>;
            pack_transposed<T>(count, depth, a + i * row_stride, row_stride, out + i, rows);
        }
        return;
    }
    for (int64_t p = 0; p < depth; ++p) {
        const T* from = a + p * depth_stride;
        for (int i = 0; i < rows; ++i) out[i] = from[i * row_stride];
        out += rows;
    }
}

template <class T>
void pack_columns(int columns, int64_t depth, const T* b, int64_t depth_stride, int64_t col_stride, T* out) {
    constexpr int width = kTileVectors * kLanes<T>;
    if (columns == width && col_stride == 1) {
        for (int64_t p = 0; p < depth; ++p) {
            unroll<kTileVectors>([&](auto v) __attribute__((always_inline)) {
                store<T>(out + v * kLanes<T>, load<T>(b + v * kLanes<T>));
            });
            b += depth_stride;
            out += width;
        }
        return;
    }
    // Vectors that hold nothing of B are not read by tiles and stay as they are; lanes behind the last column are 0.
    if (col_stride == 1) return pack_copied<T>(columns, depth, b, depth_stride, out, width);
    if (depth_stride == 1) {
        for (int j = 0; j < columns; j += kLanes<T>) {
            const int count = columns - j < kLanes<T> ? columns - j : kLanes<T>;
            pack_transposed<T>(count, depth, b + j * col_stride, col_stride, out + j, width);
        }
        return;
    }
    for (int64_t p = 0; p < depth; ++p) {
        for (int j = 0; j < columns; ++j) out[j] = b[j * col_stride];
        for (int j = columns; j < width; ++j) out[j] = T(0);
        b += depth_stride;
        out += width;
    }
}

template <class T>
constexpr GemmKernels<T> make_gemm_kernels(int64_t depth_block, int64_t row_block, int64_t column_block,
                                           int64_t few_rows) {
    return {
        .max_rows = kTileRows,
        .lanes = kLanes<T>,
        .panel = kTileVectors * kLanes<T>,
        .depth_block = depth_block,
        .row_block = row_block,
        .column_block = column_block,
        .few_rows = few_rows,
        .pack_rows = pack_rows<T>,
        .pack_columns = pack_columns<T>,
        .strided_tile = any_tile<T>,
        .add_rows = add_rows<T>,
        .dot_rows = dot_rows<T>,
    };
}

}  // namespace
}  // namespace burn::ndarray
