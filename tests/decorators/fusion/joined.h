#pragma once

#include "fused.h"

#include <burn/base/parallel.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace burn::fusion {

/// Programs in which a product or a convolution is one step with what feeds or follows it.
class Joined : public Fused {
protected:
    using Handles = std::vector<ops::Handle>;
    using Program = std::function<ops::Handle(const Handles&)>;

    void TearDown() override { set_num_threads(0); }

    /// Runs a program on Cpu with 1, 2 and 3 threads, which all give the same bits, and on NdArray, whose are near; the plan.
    static std::string run(const std::vector<TensorData>& inputs, const Program& program, double tolerance = 0) {
        const TensorData expected = values(program(uploaded<NdArray>(inputs)));
        std::string how;
        TensorData first;
        for (const int threads : {1, 2, 3}) {
            set_num_threads(threads);
            const ops::Handle result = program(uploaded<Cpu>(inputs));
            how = plan();
            const TensorData actual = values(result);
            if (threads == 1) first = actual;
            EXPECT_EQ(actual.shape(), expected.shape());
            for (std::int64_t i = 0; i < expected.numel(); ++i) {
                EXPECT_EQ(actual.at(i), first.at(i)) << "element " << i << ", threads " << threads;
                EXPECT_NEAR(actual.at(i), expected.at(i), tolerance * (1 + std::abs(expected.at(i))))
                    << "element " << i;
                if (HasFailure()) return how;
            }
        }
        return how;
    }

    template <class B>
    static Handles uploaded(const std::vector<TensorData>& inputs) {
        Handles handles;
        for (const TensorData& input : inputs) handles.push_back(B::engine(0).upload(input));
        return handles;
    }

    static constexpr auto input = [](const Shape& shape, DType dtype = DType::F32) {
        return whole_numbers(shape, dtype);
    };
};

}  // namespace burn::fusion
