#include <burn/ops/grid.h>

#include <burn/ops/engine.h>

#include "tests/support/tensors.h"

namespace burn::grid_test {
namespace {

using testing::B;
using testing::count_up;
using testing::values;
using Values = std::vector<double>;

const Device<B> device;

TEST(CartesianGrid, NamesEveryPlace) {
    const auto grid = Tensor<B, 3, Int>::cartesian_grid({2, 3}, device);
    EXPECT_EQ(grid.shape(), (Shape{2, 3, 2}));
    EXPECT_EQ(values(grid), (Values{0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 2}));
    EXPECT_EQ(values(Tensor<B, 2, Int>::cartesian_grid({3}, device)), (Values{0, 1, 2}));
}

TEST(Meshgrid, SpreadsAxes) {
    const ops::Handle a = (count_up<1>({2}) + 1).handle();
    const ops::Handle b = (count_up<1>({3}) * 10).handle();
    const auto grid = [&](GridIndexing indexing, GridSparsity sparsity) {
        return ops::meshgrid(ops::list_of(a, b), indexing, sparsity);
    };
    const ops::HandleList matrix = grid(GridIndexing::Matrix, GridSparsity::Dense);
    EXPECT_EQ(values(Tensor<B, 2>(matrix[0])), (Values{1, 1, 1, 2, 2, 2}));
    EXPECT_EQ(values(Tensor<B, 2>(matrix[1])), (Values{0, 10, 20, 0, 10, 20}));
    const ops::HandleList cartesian = grid(GridIndexing::Cartesian, GridSparsity::Dense);
    EXPECT_EQ(values(Tensor<B, 2>(cartesian[0])), (Values{1, 2, 1, 2, 1, 2}));
    EXPECT_EQ(values(Tensor<B, 2>(cartesian[1])), (Values{0, 0, 10, 10, 20, 20}));
    EXPECT_EQ(grid(GridIndexing::Cartesian, GridSparsity::Sparse)[1].shape(), (Shape{3, 1}));
    EXPECT_EQ(values(Tensor<B, 3>(ops::meshgrid_stack(ops::list_of(a, b), 0))),
              (Values{1, 1, 1, 2, 2, 2, 0, 10, 20, 0, 10, 20}));
    EXPECT_THROW(ops::meshgrid({}), ArgumentError);
    EXPECT_THROW(ops::meshgrid(ops::list_of(count_up<2>({1, 2}).handle())), ShapeError);
}

}  // namespace
}  // namespace burn::grid_test
