#include <burn/backends/ndarray/convolution/conv_kernels_any.h>
#include <burn/core/half.h>

#include "tests/support/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <thread>
#include <vector>

#if defined(__unix__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace burn::ndarray::conv_kernels_test {
namespace {

using burn::testing::as_double;
using burn::testing::for_each_isa;
using burn::testing::Numbers;
using burn::testing::WithThreads;

// Results have margins that must not change.
constexpr int64_t kResult = 40;
// Operands end where readable memory ends: a kernel that reads beyond them is stopped.
constexpr int64_t kOperand = 0;

#if defined(__unix__)
// `size` bytes right in front of a page that cannot be touched.
class GuardedBytes {
public:
    explicit GuardedBytes(std::size_t size) {
        const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        mapped_ = (size + page - 1) / page * page + page;
        start_ = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (start_ == MAP_FAILED) throw std::bad_alloc();
        std::byte* guard = static_cast<std::byte*>(start_) + mapped_ - page;
        if (mprotect(guard, page, PROT_NONE) != 0) throw std::bad_alloc();
        data_ = guard - size;
    }
    GuardedBytes(const GuardedBytes&) = delete;
    GuardedBytes& operator=(const GuardedBytes&) = delete;
    ~GuardedBytes() { munmap(start_, mapped_); }

    void* data() { return data_; }

private:
    void* start_;
    std::byte* data_;
    std::size_t mapped_;
};
#else
class GuardedBytes {
public:
    explicit GuardedBytes(std::size_t size) : bytes_(size) {}
    void* data() { return bytes_.data(); }

private:
    std::vector<std::byte> bytes_;
};
#endif

template <class T>
struct Buffer {
    explicit Buffer(int64_t size, int64_t margin)
        : size(size), margin(margin), memory(static_cast<std::size_t>(size + 2 * margin) * sizeof(T)) {
        std::fill_n(start(), size + 2 * margin, static_cast<T>(77.0f));
    }

    T* start() { return static_cast<T*>(memory.data()); }
    T* data() { return start() + margin; }
    std::vector<T> copy() { return {data(), data() + size}; }
    double value(int64_t i) { return as_double(data()[i]); }

    Buffer& fill_with_integers(std::uint32_t seed) {
        Numbers numbers(seed);
        for (int64_t i = 0; i < size; ++i) data()[i] = numbers.integer<T>(3);
        return *this;
    }

    Buffer& fill_with_reals(std::uint32_t seed) {
        Numbers numbers(seed);
        for (int64_t i = 0; i < size; ++i) data()[i] = numbers.real<T>();
        return *this;
    }

    bool margins_untouched() {
        const T expected = static_cast<T>(77.0f);
        for (int64_t i = 0; i < margin; ++i) {
            if (std::memcmp(start() + i, &expected, sizeof(T)) != 0) return false;
            if (std::memcmp(data() + size + i, &expected, sizeof(T)) != 0) return false;
        }
        return true;
    }

    int64_t size, margin;
    GuardedBytes memory;
};

// What the definition says, by visiting every product once: y, dx and dw of the same x, w and dy.
struct Expected {
    template <class T>
    Expected(const Conv2dShape& s, Buffer<T>& x, Buffer<T>& w, Buffer<T>& dy)
        : y(static_cast<std::size_t>(conv_y_size(s))), dx(static_cast<std::size_t>(x.size)),
          dw(static_cast<std::size_t>(w.size)) {
        const int64_t out_h = s.h.out(), out_w = s.w.out();
        for (int64_t b = 0; b < s.batch; ++b)
            for (int64_t o = 0; o < s.out_channels; ++o)
                for (int64_t c = 0; c < s.group_in(); ++c)
                    for (int64_t i = 0; i < out_h; ++i)
                        for (int64_t j = 0; j < out_w; ++j)
                            for (int64_t p = 0; p < s.h.kernel; ++p)
                                for (int64_t q = 0; q < s.w.kernel; ++q) {
                                    const int64_t row = i * s.h.stride + p * s.h.dilation - s.h.pad_before;
                                    const int64_t column = j * s.w.stride + q * s.w.dilation - s.w.pad_before;
                                    if (row < 0 || row >= s.h.in || column < 0 || column >= s.w.in) continue;
                                    const int64_t channel = o / s.group_out() * s.group_in() + c;
                                    const int64_t xi = ((b * s.in_channels + channel) * s.h.in + row) * s.w.in + column;
                                    const int64_t wi = ((o * s.group_in() + c) * s.h.kernel + p) * s.w.kernel + q;
                                    const int64_t yi = ((b * s.out_channels + o) * out_h + i) * out_w + j;
                                    y[static_cast<std::size_t>(yi)] += x.value(xi) * w.value(wi);
                                    dx[static_cast<std::size_t>(xi)] += dy.value(yi) * w.value(wi);
                                    dw[static_cast<std::size_t>(wi)] += dy.value(yi) * x.value(xi);
                                }
    }

    std::vector<double> y, dx, dw;
};

template <class T>
void expect_equal(Buffer<T>& actual, const std::vector<double>& expected, const char* what) {
    int64_t wrong = 0;
    for (int64_t i = 0; i < actual.size; ++i) wrong += actual.value(i) != expected[static_cast<std::size_t>(i)];
    EXPECT_EQ(wrong, 0) << what << " of " << actual.size;
    EXPECT_TRUE(actual.margins_untouched()) << what;
}

std::string text(const Conv2dShape& s) {
    ::testing::Message message;
    message << "batch " << s.batch << " channels " << s.in_channels << " -> " << s.out_channels << " groups "
            << s.groups;
    for (const ConvAxis& a : {s.h, s.w}) {
        message << " | in " << a.in << " kernel " << a.kernel << " stride " << a.stride << " dilation " << a.dilation
                << " pad " << a.pad_before << "," << a.pad_after;
    }
    return message.GetString();
}

template <class T>
void expect_exact(const Conv2dShape& s) {
    SCOPED_TRACE(text(s));
    Buffer<T> x(conv_x_size(s), kOperand), w(conv_w_size(s), kOperand), dy(conv_y_size(s), kOperand);
    x.fill_with_integers(1), w.fill_with_integers(2), dy.fill_with_integers(3);
    const Expected expected(s, x, w, dy);
    Buffer<T> y(dy.size, kResult), dx(x.size, kResult), dw(w.size, kResult);
    conv2d_forward_any<T>(s, x.data(), w.data(), y.data());
    expect_equal(y, expected.y, "y");
    conv2d_backward_input_any<T>(s, dy.data(), w.data(), dx.data());
    expect_equal(dx, expected.dx, "dx");
    conv2d_backward_weight_any<T>(s, x.data(), dy.data(), dw.data());
    expect_equal(dw, expected.dw, "dw");
}

// in, kernel, stride, dilation, pad_before, pad_after
std::vector<ConvAxis> axes() {
    return {
        {1, 1, 1, 1, 0, 0},  {7, 3, 1, 1, 0, 0},  {7, 3, 1, 1, 1, 1},  {16, 3, 1, 1, 0, 0}, {33, 5, 1, 1, 2, 2},
        {17, 1, 1, 1, 0, 0}, {17, 1, 2, 1, 0, 0}, {18, 1, 3, 1, 1, 0}, {16, 3, 2, 1, 1, 1}, {19, 3, 2, 1, 0, 1},
        {21, 3, 3, 2, 2, 0}, {20, 3, 2, 2, 1, 2}, {15, 2, 4, 3, 0, 3}, {23, 4, 5, 1, 2, 1}, {11, 3, 1, 4, 0, 0},
        {9, 3, 1, 2, 5, 0},  {5, 3, 1, 1, 4, 6},  {3, 5, 1, 1, 2, 2},  {8, 2, 1, 1, 0, 3},  {31, 7, 2, 1, 3, 3},
        {4, 4, 1, 1, 0, 0},  {2, 1, 4, 1, 0, 0},  {6, 2, 3, 5, 1, 1},  {10, 3, 4, 2, 3, 3},
    };
}

TEST(Conv2d, HandMade) {
    for_each_isa([] {
        // A 3x3 image, a 2x2 kernel, one row of zeros above.
        const Conv2dShape s{.h = {.in = 3, .kernel = 2, .pad_before = 1}, .w = {.in = 3, .kernel = 2}};
        const float x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
        const float w[] = {1, 10, 100, 1000};
        float y[6] = {};
        conv2d_forward(s, x, w, y);
        EXPECT_EQ(std::vector<float>(y, y + 6), (std::vector<float>{2100, 3200, 5421, 6532, 8754, 9865}));
        const float dy[] = {1, 0, 0, 0, 0, 2};
        float dx[9] = {};
        conv2d_backward_input(s, dy, w, dx);
        EXPECT_EQ(std::vector<float>(dx, dx + 9), (std::vector<float>{100, 1000, 0, 0, 2, 20, 0, 200, 2000}));
        float dw[4] = {};
        conv2d_backward_weight(s, x, dy, dw);
        EXPECT_EQ(std::vector<float>(dw, dw + 4), (std::vector<float>{10, 12, 17, 20}));
    });
}

TEST(Conv2d, EveryAxisInBothDirections) {
    for_each_isa([] {
        for (const ConvAxis& axis : axes()) {
            const ConvAxis other{9, 3, 1, 1, 1, 1};
            expect_exact<float>({2, 3, 5, 1, axis, other});
            expect_exact<float>({2, 3, 5, 1, other, axis});
            expect_exact<double>({2, 2, 3, 1, axis, axis});
            expect_exact<float>({2, 3, 33, 1, axis, axis});  // enough filters for the matrix product in dw
        }
    });
}

TEST(Conv2d, OneDimensional) {
    for_each_isa([] {
        for (const ConvAxis& axis : axes()) expect_exact<float>({3, 4, 6, 2, {}, axis});
    });
}

TEST(Conv2d, GroupsAndDepthwise) {
    for_each_isa([] {
        for (const ConvAxis& axis :
             {ConvAxis{13, 3, 1, 1, 1, 1}, ConvAxis{12, 3, 2, 1, 1, 0}, ConvAxis{13, 3, 1, 1, 0, 0}}) {
            expect_exact<float>({2, 6, 9, 3, axis, axis});
            expect_exact<float>({2, 7, 7, 7, axis, axis});
            expect_exact<float>({1, 5, 10, 5, axis, axis});
        }
    });
}

TEST(Conv2d, OneFilterAGroupOverManyPositions) {
    for_each_isa([] {
        for (const int64_t width : {13, 28, 30, 31, 46, 62, 65}) {
            expect_exact<float>({2, 3, 3, 3, {20, 3, 1, 1, 1, 1}, {width, 3, 1, 1, 1, 1}});
            expect_exact<float>({2, 3, 3, 3, {21, 1}, {width, 1}});
            expect_exact<float>({1, 2, 2, 2, {40, 3, 2, 1, 1, 1}, {width, 3, 2, 1, 1, 1}});
            expect_exact<double>({1, 2, 2, 2, {20, 3, 1, 1, 1, 1}, {width, 3, 1, 1, 1, 1}});
        }
        expect_exact<float>(
            {1, 90, 1, 1, {12, 3, 1, 1, 1, 1}, {30, 3, 1, 1, 1, 1}});  // more taps than are added at once
    });
}

TEST(Conv2d, ChannelsAroundTileHeights) {
    for_each_isa([] {
        for (const int64_t out : {1, 2, 3, 6, 7, 13, 14, 15, 28, 29}) {
            for (const int64_t in : {1, 4, 5}) expect_exact<float>({1, in, out, 1, {5, 2}, {11, 3}});
            expect_exact<double>({1, 2, out, 1, {4, 2}, {6, 3}});
        }
    });
}

TEST(Conv2d, WidthsAroundVectorWidths) {
    for_each_isa([] {
        for (const int64_t width : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 34, 35, 63, 64, 65, 127}) {
            expect_exact<float>({2, 2, 3, 1, {3, 2}, {width, 1}});
            if (width >= 3) expect_exact<float>({2, 2, 3, 1, {3, 2}, {width, 3}});
            expect_exact<float>({2, 2, 3, 1, {3, 2, 1, 1, 1, 1}, {width, 3, 1, 1, 1, 1}});
        }
    });
}

TEST(Conv2d, DepthwiseAroundTiles) {
    for_each_isa([] {
        for (const int64_t height : {1, 2, 3, 4, 5, 7, 8, 9}) {
            for (const int64_t width : {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31}) {
                expect_exact<float>({4, 9, 9, 9, {height, 3, 1, 1, 1, 1}, {width, 3, 1, 1, 1, 1}});
                expect_exact<float>({2, 16, 16, 16, {height + 2, 3}, {width + 2, 3}});
                expect_exact<float>({2, 16, 16, 16, {height, 5, 1, 1, 2, 2}, {width, 5, 1, 1, 2, 2}});
                expect_exact<float>({2, 16, 16, 16, {height, 7, 1, 1, 3, 3}, {width, 7, 1, 1, 3, 3}});
            }
            expect_exact<double>({7, 5, 5, 5, {height, 3, 1, 1, 2, 0}, {6, 3, 1, 1, 0, 2}});
            expect_exact<float>({2, 16, 16, 16, {height, 3, 1, 1, 3, 4}, {6, 3, 1, 1, 1, 1}});
        }
        for (const int64_t width : {32, 33, 34, 47, 48, 49, 65}) {
            expect_exact<float>({2, 16, 16, 16, {4, 3, 1, 1, 1, 1}, {width, 3, 1, 1, 1, 1}});
            expect_exact<double>({2, 16, 16, 16, {4, 3, 1, 1, 1, 1}, {width / 2, 3, 1, 1, 1, 1}});
        }
        expect_exact<float>({2, 16, 16, 16, {3, 3, 1, 1, 1, 1}, {5, 3, 1, 1, 37, 40}});  // padding of whole vectors
        for (const ConvAxis& axis : axes()) expect_exact<float>({2, 16, 16, 16, axis, axis});
    });
}

TEST(Conv2d, DepthwiseOfManyChannels) {
    for_each_isa([] {
        for (const int64_t height : {1, 2, 3, 6}) {
            for (const int64_t width : {1, 7, 8, 15, 16, 17, 33}) {
                expect_exact<float>({3, 35, 35, 35, {height, 3, 1, 1, 1, 1}, {width, 3, 1, 1, 1, 1}});
                expect_exact<float>({1, 32, 32, 32, {height + 2, 3}, {width + 2, 3}});
            }
            expect_exact<double>({2, 33, 33, 33, {height, 3, 1, 1, 2, 0}, {6, 3, 1, 1, 0, 2}});
        }
    });
}

TEST(Conv2d, ManyTaps) {
    for_each_isa([] {
        expect_exact<float>({1, 100, 17, 1, {6, 3, 1, 1, 1, 1}, {7, 3, 1, 1, 1, 1}});
        expect_exact<float>({1, 17, 100, 1, {6, 3, 2, 1, 1, 1}, {7, 3, 2, 1, 1, 1}});
        expect_exact<float>({1, 800, 2, 1, {3, 1}, {5, 1}});
        expect_exact<float>(
            {1, 70, 20, 1, {9, 3, 1, 1, 1, 1}, {30, 3, 1, 1, 1, 1}});  // sums carried from panel to panel
        expect_exact<float>({1, 400, 60, 1, {3, 1}, {40, 1}});         // gathered in several blocks
        expect_exact<double>({1, 70, 20, 1, {5, 3, 1, 1, 1, 1}, {14, 3, 1, 1, 1, 1}});
    });
}

TEST(Conv2d, MoreFiltersThanSumsStayInTheFirstCache) {
    for_each_isa([] { expect_exact<float>({1, 3, 190, 1, {9, 3, 1, 1, 1, 1}, {14, 3, 1, 1, 1, 1}}); });
}

TEST(Conv2d, OutputsOfAllImagesAsOneList) {
    for_each_isa([] {
        const ConvAxis padded{7, 3, 1, 1, 1, 1}, plain{7, 3}, wide{14, 3, 1, 1, 1, 1}, strided{9, 3, 2, 1, 1, 1};
        expect_exact<float>(
            {9, 40, 64, 1, padded, padded});  // panels that several images meet in; several blocks of taps
        expect_exact<float>({3, 24, 128, 1, wide, wide});
        expect_exact<float>({5, 12, 64, 1, plain, plain});
        expect_exact<float>({5, 12, 64, 1, strided, strided});
        expect_exact<float>({70, 8, 40, 1, {2, 2}, {3, 2}});  // more images than vectors of one panel
        expect_exact<float>({33, 8, 600, 1, {3, 2}, {3, 2}});
        expect_exact<float>({6, 48, 128, 2, padded, padded});
        expect_exact<double>({5, 12, 64, 1, padded, plain});
        expect_exact<double>({40, 4, 40, 1, {2, 2}, {3, 2}});
    });
}

TEST(Conv2d, GuideModel) {
    for_each_isa([] {
        expect_exact<float>({3, 1, 8, 1, {28, 3}, {28, 3}});
        expect_exact<float>({3, 8, 16, 1, {26, 3}, {26, 3}});
    });
}

TEST(Conv2d, NothingToDo) {
    for_each_isa([] {
        expect_exact<float>({0, 2, 3, 1, {5, 3}, {5, 3}});
        expect_exact<float>({2, 2, 3, 1, {2, 3}, {5, 3}});  // the kernel does not fit: y is empty, gradients are 0
        expect_exact<float>({2, 0, 3, 1, {5, 3}, {5, 3}});  // sums of nothing
    });
}

TEST(Conv2d, RealValuesWithinTheRoundingErrorOfTheSum) {
    for_each_isa([] {
        const Conv2dShape s{4, 8, 16, 1, {26, 3}, {26, 3}};
        Buffer<float> x(conv_x_size(s), kOperand), w(conv_w_size(s), kOperand), dy(conv_y_size(s), kOperand);
        x.fill_with_reals(1), w.fill_with_reals(2), dy.fill_with_reals(3);
        const Expected expected(s, x, w, dy);
        Buffer<float> y(dy.size, kResult), dx(x.size, kResult), dw(w.size, kResult);
        conv2d_forward(s, x.data(), w.data(), y.data());
        conv2d_backward_input(s, dy.data(), w.data(), dx.data());
        conv2d_backward_weight(s, x.data(), dy.data(), dw.data());
        // Terms are below 1; errors of random sign grow like the root of their number, times partial sums of like size.
        for (int64_t i = 0; i < y.size; ++i)
            ASSERT_NEAR(y.value(i), expected.y[static_cast<std::size_t>(i)], 72 * 6e-8);
        for (int64_t i = 0; i < dx.size; ++i)
            ASSERT_NEAR(dx.value(i), expected.dx[static_cast<std::size_t>(i)], 144 * 6e-8);
        for (int64_t i = 0; i < dw.size; ++i)
            ASSERT_NEAR(dw.value(i), expected.dw[static_cast<std::size_t>(i)], 2304 * 6e-8);
    });
}

// A number that is not finite shows up where the definition uses it and nowhere else, though vectors span rows.
void expect_nan_where_it_belongs(int64_t filters) {
    const Conv2dShape s{2, 2, filters, 1, {6, 3}, {7, 3}};
    const int64_t out_w = s.w.out(), out_h = s.h.out();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    Buffer<float> x(conv_x_size(s), kOperand), w(conv_w_size(s), kOperand), dy(conv_y_size(s), kOperand),
        y(dy.size, kResult), dw(w.size, kResult), dx(x.size, kResult);
    x.fill_with_integers(1), w.fill_with_integers(2), dy.fill_with_integers(3);
    const int64_t row = 2, column = 6;  // of channel 1 of image 0; only taps of column 2 read it
    x.data()[(1 * 6 + row) * 7 + column] = nan;
    conv2d_forward(s, x.data(), w.data(), y.data());
    for (int64_t i = 0; i < y.size; ++i) {
        const bool first_image = i < filters * out_h * out_w;
        const bool reached = first_image && i / out_w % out_h <= row && i % out_w == out_w - 1;
        ASSERT_EQ(std::isnan(y.data()[i]), reached) << i;
    }
    conv2d_backward_weight(s, x.data(), dy.data(), dw.data());
    for (int64_t i = 0; i < dw.size; ++i) ASSERT_EQ(std::isnan(dw.data()[i]), i / 9 % 2 == 1 && i % 3 == 2) << i;
    dy.data()[3 * out_w + 4] = nan;  // output (3, 4) of filter 0 of image 0 goes back to rows 3..5, columns 4..6
    conv2d_backward_input(s, dy.data(), w.data(), dx.data());
    for (int64_t i = 0; i < dx.size; ++i) {
        ASSERT_EQ(std::isnan(dx.data()[i]), i < 2 * 42 && i / 7 % 6 >= 3 && i % 7 >= 4) << i;
    }
}

TEST(Conv2d, NanStaysWhereItBelongs) {
    for_each_isa([] {
        expect_nan_where_it_belongs(3);
        expect_nan_where_it_belongs(40);
    });
}

TEST(Conv2d, NanStaysInItsChannel) {
    for_each_isa([] {
        const Conv2dShape s{2, 40, 40, 40, {6, 3}, {7, 3}};
        Buffer<float> x(conv_x_size(s), kOperand), dy(conv_y_size(s), kOperand), dw(conv_w_size(s), kResult);
        x.fill_with_integers(1), dy.fill_with_integers(3);
        x.data()[(1 * 6 + 2) * 7 + 6] = std::numeric_limits<float>::quiet_NaN();  // only taps of column 2 read it
        conv2d_backward_weight(s, x.data(), dy.data(), dw.data());
        for (int64_t i = 0; i < dw.size; ++i) ASSERT_EQ(std::isnan(dw.data()[i]), i / 9 == 1 && i % 3 == 2) << i;
    });
}

std::vector<std::vector<float>> all_results(const Conv2dShape& s) {
    Buffer<float> x(conv_x_size(s), kOperand), w(conv_w_size(s), kOperand), dy(conv_y_size(s), kOperand),
        y(dy.size, kResult), dx(x.size, kResult), dw(w.size, kResult);
    x.fill_with_reals(1), w.fill_with_reals(2), dy.fill_with_reals(3);
    conv2d_forward(s, x.data(), w.data(), y.data());
    conv2d_backward_input(s, dy.data(), w.data(), dx.data());
    conv2d_backward_weight(s, x.data(), dy.data(), dw.data());
    return {y.copy(), dx.copy(), dw.copy()};
}

TEST(Conv2d, SameBitsForAnyNumberOfThreads) {
    const Conv2dShape shapes[] = {{37, 8, 16, 1, {26, 3}, {26, 3}},
                                  {1, 32, 32, 1, {40, 3, 1, 1, 1, 1}, {40, 3, 1, 1, 1, 1}},
                                  {8, 96, 96, 96, {28, 3, 1, 1, 1, 1}, {28, 3, 1, 1, 1, 1}},
                                  {2, 32, 64, 2, {20, 3, 2, 1, 1, 1}, {20, 3, 2, 1, 1, 1}},
                                  {9, 128, 128, 1, {14, 3, 1, 1, 1, 1}, {14, 3, 1, 1, 1, 1}},
                                  {2, 3, 64, 1, {38, 7, 2, 1, 3, 3}, {38, 7, 2, 1, 3, 3}},
                                  {3, 64, 256, 2, {14, 3, 1, 1, 1, 1}, {14, 3, 1, 1, 1, 1}},
                                  {8, 64, 96, 2, {7, 3, 1, 1, 1, 1}, {7, 3, 1, 1, 1, 1}}};
    for_each_isa([&] {
        for (const Conv2dShape& s : shapes) {
            std::vector<std::vector<float>> first;
            for (const int n : {1, 2, 3, 7}) {
                const WithThreads threads(n);
                const auto results = all_results(s);
                if (n == 1) first = results;
                EXPECT_EQ(results, first) << n << " threads, " << text(s);
            }
        }
    });
}

TEST(Conv2d, SeveralCallersAtOnce) {
    const Conv2dShape s{16, 8, 16, 1, {26, 3}, {26, 3}};
    const auto expected = all_results(s);
    std::array<int, 3> wrong{};
    std::vector<std::thread> callers;
    for (int& mine : wrong) {
        callers.emplace_back([&] {
            for (int round = 0; round < 3; ++round) mine += all_results(s) != expected;
        });
    }
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(wrong, (std::array<int, 3>{}));
}

TEST(Conv2dAny, IntegersAndHalfTypes) {
    for (const ConvAxis& axis : axes()) {
        const ConvAxis other{5, 2, 1, 1, 1, 0};
        expect_exact<std::int32_t>({2, 2, 4, 2, axis, other});
        expect_exact<std::int64_t>({2, 2, 4, 1, other, axis});
        expect_exact<f16>({1, 2, 2, 1, other, axis});
    }
    expect_exact<bf16>({1, 2, 2, 1, {4, 2}, {5, 2}});
}

TEST(Conv2dPortable, FloatsAsOnBareMetal) {
    for (const ConvAxis& axis : axes()) {
        const Conv2dShape s{2, 4, 6, 2, {6, 3, 2, 1, 1, 1}, axis};
        SCOPED_TRACE(text(s));
        Buffer<float> x(conv_x_size(s), kOperand), w(conv_w_size(s), kOperand), dy(conv_y_size(s), kOperand),
            y(dy.size, kResult), dx(x.size, kResult), dw(w.size, kResult);
        x.fill_with_integers(1), w.fill_with_integers(2), dy.fill_with_integers(3);
        const Expected expected(s, x, w, dy);
        conv2d_forward_portable(s, x.data(), w.data(), y.data());
        conv2d_backward_input_portable(s, dy.data(), w.data(), dx.data());
        conv2d_backward_weight_portable(s, x.data(), dy.data(), dw.data());
        expect_equal(y, expected.y, "y");
        expect_equal(dx, expected.dx, "dx");
        expect_equal(dw, expected.dw, "dw");
    }
}

}  // namespace
}  // namespace burn::ndarray::conv_kernels_test
