#include <burn/base/error.h>
#include <burn/kernel/builder.h>
#include <burn/kernel/rewrite.h>
#include <burn/kernel/text.h>
#include <gtest/gtest.h>

#include "tests/kernel/random_kernel.h"

namespace burn::kernel::rewrite_test {
namespace {

std::optional<Value> nothing(Builder&, const Node&, std::span<const Value>) { return std::nullopt; }

TEST(Rewrite, ReplacesNodesByValues) {
    Builder k("negate");
    const Place x = k.buffer(DType::F32, Access::ReadWrite);
    x.store(0, -x.load(0, 4));
    k.for_loop(0, 2, 1, [&](Value i) { x.store(i, -x.load(i)); });
    const Kernel kernel = rewrite(k.finish(), [](Builder&, const Node& node, std::span<const Value> operands) {
        return node.kind == NodeKind::Neg ? std::optional(0 - operands[0]) : std::nullopt;
    });
    EXPECT_EQ(print(kernel), R"(kernel negate(units 1, plane 1) {
  %0: f32 = buffer readwrite
  %1: i64 = constant 0
  %2: f32x4 = load %0, %1
  %3: f32x4 = constant 0
  %4: f32x4 = sub %3, %2
  store %0, %1, %4
  %6: i64 = constant 2
  %7: i64 = constant 1
  %8: i64 = for %1, %6, %7 {
    %9: f32 = load %0, %8
    %10: f32 = constant 0
    %11: f32 = sub %10, %9
    store %0, %8, %11
  }
}
)");
}

TEST(Rewrite, CopiesWhatIsNotReplaced) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const Kernel kernel = random_kernel(seed, 80), copy = rewrite(kernel, nothing);
        ASSERT_EQ(rewrite(copy, nothing), copy) << print(copy);
        EXPECT_EQ(parse(print(copy)), copy);
        // Only Leaf and Pure nodes may have become one.
        std::array<int, kNodeKinds> difference{};
        for (const Node& node : kernel.nodes) ++difference[static_cast<std::size_t>(node.kind)];
        for (const Node& node : copy.nodes) --difference[static_cast<std::size_t>(node.kind)];
        for (std::size_t i = 0; i < kNodeKinds; ++i) {
            const NodeClass node_class = info_of(static_cast<NodeKind>(i)).node_class;
            const bool may_share = node_class == NodeClass::Leaf || node_class == NodeClass::Pure;
            EXPECT_TRUE(may_share ? difference[i] >= 0 : difference[i] == 0) << info_of(static_cast<NodeKind>(i)).text;
        }
    }
}

TEST(Rewrite, AReplacementHasTheTypeOfItsNode) {
    Builder k("types");
    const Place x = k.buffer(DType::F32, Access::ReadWrite);
    x.store(0, exp(x.load(0)));
    const Kernel kernel = k.finish();
    const auto to_f64 = [](Builder&, const Node& node, std::span<const Value> operands) -> std::optional<Value> {
        if (node.kind != NodeKind::Exp) return std::nullopt;
        return cast(operands[0], DType::F64);
    };
    EXPECT_THROW(rewrite(kernel, to_f64), InternalError);
}

}  // namespace
}  // namespace burn::kernel::rewrite_test
