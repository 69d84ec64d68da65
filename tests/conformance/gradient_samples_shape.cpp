#include "tests/conformance/gradient_samples.h"

#include <burn/ops/join.h>
#include <burn/ops/movement.h>
#include <burn/ops/slice.h>

namespace burn::conformance {

void sample_shape(GradientSamples& samples) {
    samples.push_back({"reshape", ops::Reshape{{4, -1}}, {reals({2, 3, 4})}});
    samples.push_back({"permute", ops::Permute{{2, 0, 1}}, {reals({2, 3, 4})}});
    samples.push_back({"expand", ops::Expand{{2, 3, 4}}, {reals({2, 1, 4})}});
    samples.push_back({"expand with a new axis", ops::Expand{{5, 2, 3}}, {reals({1, 3})}});
    samples.push_back(
        {"slice with steps", ops::StridedSlice{{Slice(0, Slice::kToEnd, 2), Slice(1, 5, -3)}}, {reals({5, 7})}});
    samples.push_back({"slice of nothing", ops::StridedSlice{{Slice(2, 2)}}, {reals({5, 2})}});
    samples.push_back({"slice_assign",
                       ops::SliceAssign{{Slice(1, 3), Slice(0, Slice::kToEnd, -2)}},
                       {reals({4, 5}), reals({2, 3}, -2, 2, 2)}});
    samples.push_back({"unfold, apart", ops::Unfold{1, 2, 3}, {reals({2, 8, 3})}});
    samples.push_back({"unfold, overlapping", ops::Unfold{0, 3, 1}, {reals({5, 2})}});
    samples.push_back({"cat",
                       ops::Cat{1},
                       {reals({2, 1, 3}), reals({2, 4, 3}, -2, 2, 2), reals({2, 0, 3}), reals({2, 2, 3}, -2, 2, 3)}});
}

}  // namespace burn::conformance
