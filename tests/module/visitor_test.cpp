#include "sample_modules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace burn::visitor_test {
namespace {

using sample::Everything;
using A = Autodiff<NdArray>;

/// Writes down everything it sees, a line each.
struct Listing final : ModuleVisitor {
    std::vector<std::string> lines;

    void add(const char* what, const Path& path, const char* more = "") {
        lines.push_back(std::string(what) + " " + path.text() + (*more != '\0' ? " " : "") + more);
    }
    void param(const Path& path, const AnyParam&) override { add("param", path); }
    void running_state(const Path& path, const AnyRunningState&) override { add("state", path); }
    void tensor(const Path& path, const ops::Handle&) override { add("tensor", path); }
    void constant(const Path& path, const ConstantField& field) override {
        Message value;
        field.write(value, field.value);
        add("constant", path, value.text());
    }
    void enter(const Path& path, const char* type) override { add("{", path, type); }
    void leave(const Path& path, const char* type) override { add("}", path, type); }
};

TEST(ModuleVisitor, SeesEveryFieldWithItsPath) {
    Listing listing;
    sample::make_everything<NdArray>(Device<NdArray>()).visit(listing);
    EXPECT_THAT(listing.lines,
                testing::ElementsAre(
                    "{ first Affine", "param first.weight", "param first.bias", "} first Affine", "{ layers list",
                    "{ layers.0 Affine", "param layers.0.weight", "param layers.0.bias", "} layers.0 Affine",
                    "{ layers.1 Affine", "param layers.1.weight", "} layers.1 Affine", "} layers list", "{ scales list",
                    "{ scales.0 Scale", "constant scales.0.factor 2", "} scales.0 Scale", "{ scales.1 Scale",
                    "constant scales.1.factor 2", "} scales.1 Scale", "} scales list", "{ gains list", "param gains.0",
                    "} gains list", "{ wrapped Wrapped", "{ wrapped.inner Affine", "param wrapped.inner.weight",
                    "param wrapped.inner.bias", "} wrapped.inner Affine", "} wrapped Wrapped", "{ table Table",
                    "param table.entries", "} table Table", "state mean", "tensor constant", "constant count 3"));
}

TEST(ModuleVisitor, SeesNothingInAModuleWithoutFields) {
    Listing listing;
    sample::Nothing().visit(listing);
    EXPECT_TRUE(listing.lines.empty());
}

/// Adds one to every parameter, state and tensor.
struct AddOne final : ModuleMapper {
    std::vector<std::string> seen;
    std::vector<std::string> tied;

    void param(const Path& path, AnyParam& param) override {
        seen.push_back(path.text());
        param.set(ops::add_scalar(param.take(), 1));
    }
    void tied_param(const Path& path, const AnyParam&) override { tied.push_back(path.text()); }
    void running_state(const Path&, AnyRunningState& state) override { state.set(ops::add_scalar(state.value(), 1)); }
    void tensor(const Path&, ops::Handle& tensor) override { tensor = ops::add_scalar(tensor, 1); }
};

TEST(ModuleMapper, ChangesEveryParameterOnceAndKeepsTies) {
    const auto module = sample::make_everything<A>(Device<A>());
    AddOne mapper;
    const auto mapped = module.map(mapper);
    EXPECT_THAT(mapper.seen, testing::ElementsAre("first.weight", "first.bias", "layers.0.weight", "layers.0.bias",
                                                  "layers.1.weight", "gains.0", "table.entries"));
    EXPECT_THAT(mapper.tied, testing::ElementsAre("wrapped.inner.weight", "wrapped.inner.bias"));
    EXPECT_EQ(mapped.first.weight.value().to_data().at(0), 2);
    EXPECT_TRUE(mapped.wrapped.inner.weight.tied_to(mapped.first.weight));
    EXPECT_EQ(mapped.layers[1].weight.value().to_data().at(0), 4);
    EXPECT_EQ(mapped.layers[1].weight.id(), module.layers[1].weight.id());
    EXPECT_EQ(mapped.mean.value().to_data().at(0), 1);
    EXPECT_EQ(mapped.constant.to_data().at(0), 8);
    EXPECT_EQ(module.first.weight.value().to_data().at(0), 1) << "the module that was mapped keeps its values";
}

TEST(ModuleMapper, KeepsTiesOfAModuleThatWasGivenAway) {
    auto module = sample::make_everything<A>(Device<A>());
    AddOne mapper;
    module = map_module(std::move(module), mapper);
    EXPECT_TRUE(module.wrapped.inner.weight.tied_to(module.first.weight));
    EXPECT_EQ(module.wrapped.inner.bias->value().to_data().at(0), 2);
}

TEST(ModuleMapper, KeepsCopiesOfOneLayerApart) {
    // Two parameters that share a value but not an id are copies that somebody renamed: each is changed by itself.
    auto module = sample::make_everything<A>(Device<A>());
    module.wrapped.inner.weight.set_id(new_param_id());
    AddOne mapper;
    const auto mapped = module.map(mapper);
    EXPECT_FALSE(mapped.wrapped.inner.weight.tied_to(mapped.first.weight));
    EXPECT_EQ(mapped.wrapped.inner.weight.value().to_data().at(0), 2);
}

}  // namespace
}  // namespace burn::visitor_test
