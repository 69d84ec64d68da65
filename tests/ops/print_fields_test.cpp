#include <burn/ops/print_fields.h>

#include <burn/ops/any_op.h>
#include <burn/ops/pointwise.h>
#include <burn/ops/slice.h>
#include <gtest/gtest.h>

#include <string>

namespace burn::ops::print_fields_test {
namespace {

std::string fields_of(const AnyOp& op, PrintFields::Values values) {
    Message text;
    PrintFields visitor(text, values);
    op.visit_fields(visitor);
    return text.text();
}

TEST(PrintFields, WritesNamesAndValues) {
    const AnyOp slices = StridedSlice{SliceList{{0, 40, 2}, {3, Slice::kToEnd, 1}}};
    EXPECT_EQ(fields_of(slices, PrintFields::Values::All), "slices=[0:40:2, 3::1]");
}

TEST(PrintFields, AskForWhatEachRunGives) {
    const AnyOp slices = StridedSlice{SliceList{{0, 40, 2}}};
    EXPECT_EQ(fields_of(slices, PrintFields::Values::Structural), "slices=?");
}

}  // namespace
}  // namespace burn::ops::print_fields_test
