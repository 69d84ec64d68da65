#include <burn/backends/cpu/convolution_candidates.h>

#include <burn/base/error.h>
#include <burn/compiler/autotune/settings.h>

#include "tests/support/kernels.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <vector>

namespace burn::cpu::convolution_candidates_test {
namespace {

using burn::testing::Numbers;
using burn::testing::WithThreads;
using ndarray::Conv2dShape;
using ndarray::Convolution;
using ndarray::ConvolutionKind;

constexpr ConvolutionKind kKinds[] = {ConvolutionKind::Forward, ConvolutionKind::InputGrad,
                                      ConvolutionKind::WeightGrad};

/// Small whole numbers, exact in every order of summing, with all three convolutions by their definition.
template <class T>
class Sample {
public:
    explicit Sample(const Conv2dShape& s) : shape_(s) {
        fill(x_, s.batch * s.in_channels * s.h.in * s.w.in, 1);
        fill(w_, s.out_channels * s.taps(), 2);
        fill(dy_, s.batch * s.out_channels * s.h.out() * s.w.out(), 3);
        define();
    }

    /// Runs one of them by `run`, and gives how many elements differ from the definition.
    template <class Run>
    int faults(ConvolutionKind kind, Run run) {
        const std::vector<T>& left = kind == ConvolutionKind::InputGrad ? dy_ : x_;
        const std::vector<T>& right = kind == ConvolutionKind::WeightGrad ? dy_ : w_;
        const std::vector<double>& expected = expected_[static_cast<std::size_t>(kind)];
        std::vector<T> result(expected.size(), static_cast<T>(77.0f));
        run(Convolution{kind, DTypeOf<T>::value, shape_, reinterpret_cast<const std::byte*>(left.data()),
                        reinterpret_cast<const std::byte*>(right.data()), reinterpret_cast<std::byte*>(result.data())});
        int count = 0;
        for (std::size_t i = 0; i < result.size(); ++i) count += testing::as_double(result[i]) != expected[i];
        return count;
    }

private:
    static void fill(std::vector<T>& values, std::int64_t size, std::uint32_t seed) {
        Numbers numbers(seed);
        values.resize(static_cast<std::size_t>(size));
        for (T& value : values) value = numbers.integer<T>(3);
    }

    void define() {
        const Conv2dShape& s = shape_;
        std::vector<double>&y = expected_[0], &dx = expected_[1], &dw = expected_[2];
        y.assign(dy_.size(), 0);
        dx.assign(x_.size(), 0);
        dw.assign(w_.size(), 0);
        std::size_t at_y = 0;
        for (std::int64_t b = 0; b < s.batch; ++b) {
            for (std::int64_t o = 0; o < s.out_channels; ++o) {
                for (std::int64_t i = 0; i < s.h.out(); ++i) {
                    for (std::int64_t j = 0; j < s.w.out(); ++j, ++at_y) add_taps(b, o, i, j, at_y);
                }
            }
        }
    }

    void add_taps(std::int64_t b, std::int64_t o, std::int64_t i, std::int64_t j, std::size_t at_y) {
        const Conv2dShape& s = shape_;
        const std::int64_t first = o / s.group_out() * s.group_in();
        for (std::int64_t c = 0; c < s.group_in(); ++c) {
            for (std::int64_t p = 0; p < s.h.kernel; ++p) {
                for (std::int64_t q = 0; q < s.w.kernel; ++q) {
                    const std::int64_t row = i * s.h.stride + p * s.h.dilation - s.h.pad_before;
                    const std::int64_t column = j * s.w.stride + q * s.w.dilation - s.w.pad_before;
                    if (row < 0 || row >= s.h.in || column < 0 || column >= s.w.in) continue;
                    const auto at_x =
                        static_cast<std::size_t>(((b * s.in_channels + first + c) * s.h.in + row) * s.w.in + column);
                    const auto at_w =
                        static_cast<std::size_t>(((o * s.group_in() + c) * s.h.kernel + p) * s.w.kernel + q);
                    const double x = testing::as_double(x_[at_x]), w = testing::as_double(w_[at_w]);
                    const double dy = testing::as_double(dy_[at_y]);
                    expected_[0][at_y] += w * x;
                    expected_[1][at_x] += w * dy;
                    expected_[2][at_w] += x * dy;
                }
            }
        }
    }

    Conv2dShape shape_;
    std::vector<T> x_, w_, dy_;
    std::vector<double> expected_[3];
};

const Conv2dShape kShapes[] = {
    {1, 1, 1, 1, {1, 1}, {1, 1}},
    {3, 2, 5, 1, {7, 3}, {6, 2}},
    {2, 16, 32, 1, {9, 3, 1, 1, 1, 1}, {11, 3, 1, 1, 1, 1}},
    {2, 3, 16, 1, {17, 7, 2, 1, 3, 3}, {15, 7, 2, 1, 3, 3}},
    {4, 32, 16, 1, {6, 1}, {6, 1}},
    {2, 8, 128, 1, {14, 3, 1, 1, 1, 1}, {14, 3, 1, 1, 1, 1}},
    {2, 8, 8, 8, {8, 3, 1, 1, 1, 1}, {8, 3, 1, 1, 1, 1}},
    {3, 6, 9, 3, {5, 2, 1, 2, 0, 1}, {9, 3, 3, 1, 2, 0}},
    {2, 4, 6, 1, {}, {20, 5, 2, 2, 1, 2}},  // one axis
};

class ConvolutionCandidates : public ::testing::TestWithParam<std::size_t> {};

TEST_P(ConvolutionCandidates, AgreeWithTheDefinition) {
    const autotune::Candidate& candidate = convolution_candidates()[GetParam()];
    if (candidate.version().empty()) GTEST_SKIP() << candidate.why_missing();
    for (const int threads : {1, 3}) {
        const WithThreads with(threads);
        for (const Conv2dShape& shape : kShapes) {
            Sample<float> sample(shape);
            for (const ConvolutionKind kind : kKinds) {
                for (int again = 0; again < 2; ++again) {  // the second time, what was prepared is found
                    EXPECT_EQ(sample.faults(kind, [&](const Convolution& c) { convolve_by(GetParam(), c); }), 0)
                        << "shape " << &shape - kShapes << ", kind " << static_cast<int>(kind) << ", threads "
                        << threads;
                }
            }
        }
    }
}

/// Runs convolutions of all shapes, and expects that each plane is told of once, when it is finished.
template <class T>
void expect_planes_told(FunctionRef<void(const Convolution&)> convolve) {
    for (const Conv2dShape& s : kShapes) {
        Sample<T> sample(s);
        const auto planes = static_cast<std::size_t>(s.batch * s.out_channels);
        const auto size = static_cast<std::size_t>(s.h.out() * s.w.out());
        std::vector<std::atomic<int>> told(planes);
        std::vector<T> seen(planes * size);
        const int faults = sample.faults(ConvolutionKind::Forward, [&](Convolution convolution) {
            auto* result = reinterpret_cast<T*>(convolution.result);
            const auto look = [&](std::int64_t first, std::int64_t last) {
                const auto begin = static_cast<std::size_t>(first) * size, end = static_cast<std::size_t>(last) * size;
                std::copy(result + begin, result + end, seen.begin() + static_cast<std::ptrdiff_t>(begin));
                for (std::int64_t plane = first; plane < last; ++plane) ++told[static_cast<std::size_t>(plane)];
            };
            const ndarray::RowsFinished finished(look);
            convolution.finished = &finished;
            convolve(convolution);
            std::copy(seen.begin(), seen.end(), result);  // what was there when it was told of
        });
        EXPECT_EQ(faults, 0) << "shape " << &s - kShapes;
        for (const std::atomic<int>& times : told) EXPECT_EQ(times, 1) << "plane " << &times - told.data();
    }
}

TEST_P(ConvolutionCandidates, TellOfEachPlaneOnceWhenItIsFinished) {
    const autotune::Candidate& candidate = convolution_candidates()[GetParam()];
    if (candidate.version().empty()) GTEST_SKIP() << candidate.why_missing();
    const auto convolve = [&](const Convolution& convolution) { convolve_by(GetParam(), convolution); };
    for (const int threads : {1, 2, 3}) {
        const WithThreads with(threads);
        expect_planes_told<float>(convolve);
        if (GetParam() != 0) continue;
        expect_planes_told<double>(convolve);
        expect_planes_told<bf16>(convolve);
        expect_planes_told<std::int32_t>(convolve);
    }
}

TEST_P(ConvolutionCandidates, SayWhatTheyCanRun) {
    const autotune::Candidate& candidate = convolution_candidates()[GetParam()];
    const bool is_there = candidate.version() != "";
    EXPECT_EQ(is_there, candidate.why_missing().empty());
    Convolution convolution;
    convolution.shape = kShapes[1];
    EXPECT_EQ(can_convolve(GetParam(), convolution), is_there);
    convolution.dtype = DType::F64;
    EXPECT_EQ(can_convolve(GetParam(), convolution), GetParam() == 0);
    convolution.dtype = DType::F32;
    convolution.shape.batch = 0;
    EXPECT_EQ(can_convolve(GetParam(), convolution), GetParam() == 0) << "nothing to do is for ours";
}

INSTANTIATE_TEST_SUITE_P(All, ConvolutionCandidates, ::testing::Range<std::size_t>(0, 2),
                         [](const auto& info) { return std::string(convolution_candidates()[info.param].name); });

TEST(ConvolutionChoice, RunsEveryConvolution) {
    const autotune::Settings before = autotune::settings();
    for (const autotune::Tuning tuning : {autotune::Tuning::Off, autotune::Tuning::On}) {
        autotune::set_settings({.tuning = tuning, .seconds_per_problem = 0.001});
        for (const Conv2dShape& shape : kShapes) {
            Sample<float> sample(shape);
            Sample<std::int32_t> integers(shape);
            for (const ConvolutionKind kind : kKinds) {
                EXPECT_EQ(sample.faults(kind, convolve_by_best), 0);
                EXPECT_EQ(integers.faults(kind, convolve_by_best), 0);
            }
        }
    }
    autotune::set_settings(before);
    EXPECT_THAT(autotune::report(), ::testing::HasSubstr("kind=weight_grad dtype=f32 batch=4 in=32 out=16 groups=1"));
}

TEST(ConvolutionChoice, ACandidateMustBeAble) {
    Convolution doubles;
    doubles.dtype = DType::F64;
    EXPECT_THROW(convolve_by(1, doubles), InternalError);
    EXPECT_THROW(convolve_by(17, doubles), InternalError);
}

}  // namespace
}  // namespace burn::cpu::convolution_candidates_test
