#include <burn/module/display.h>

#include "sample_modules.h"

#include <gtest/gtest.h>

#include <sstream>

namespace burn::display_test {
namespace {

using A = Autodiff<NdArray>;

TEST(ToString, ShowsFieldsNestedWithShapes) {
    auto module = sample::make_everything<A>(Device<A>());
    module.layers.pop_back();
    module.first = module.first.no_grad();
    EXPECT_EQ(to_string(module), R"(Everything {
  first: Affine {
    weight: Param f32 [2, 3], frozen
    bias: Param f32 [3], frozen
  }
  layers: list {
    0: Affine {
      weight: Param f32 [2, 3]
      bias: Param f32 [3]
    }
  }
  scales: list {
    0: Scale {
      factor: 2
    }
    1: Scale {
      factor: 2
    }
  }
  gains: list {
    0: Param f32 [4]
  }
  wrapped: Wrapped {
    inner: Affine {
      weight: Param f32 [2, 3]
      bias: Param f32 [3]
    }
  }
  table: Table {
    entries: Param i64 [5]
  }
  mean: RunningState f32 [2]
  constant: Tensor f32 [2]
  count: 3
  params: 27
})");
}

TEST(ToString, ShowsWhatIsAskedFor) {
    auto module = sample::make_affine<A>(1, Device<A>());
    module.weight.set_id(77);
    module.bias.reset();
    EXPECT_EQ(to_string(module, {.shapes = false, .param_ids = true, .indent = 1}),
              "Affine {\n weight: Param, id 77\n params: 6\n}");
    std::ostringstream stream;
    stream << sample::Wrapped<A, sample::Nothing>();
    EXPECT_EQ(stream.str(), "Wrapped {\n  inner: Nothing\n  params: 0\n}");
}

}  // namespace
}  // namespace burn::display_test
