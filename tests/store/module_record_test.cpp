#include <burn/store/module_record.h>

#include "tests/module/sample_modules.h"
#include "tests/support/bytes.h"

#include <gmock/gmock.h>

namespace burn::module_record_test {
namespace {

using sample::Affine;
using sample::Everything;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using A = Autodiff<NdArray>;

std::vector<std::string> paths_of(const Record& record) {
    std::vector<std::string> paths;
    for (const Record::Tensor& tensor : record.tensors()) paths.emplace_back(tensor.path.text());
    return paths;
}

/// The same structure with other values and other ids.
Everything<A> other_everything() {
    Device<A> device;
    auto module = sample::make_everything<A>(device);
    module.first.weight.set_value(Tensor<A, 2>::full({2, 3}, -1, device));
    module.first.bias->set_value(Tensor<A, 1>::full({3}, -2, device));
    module.layers[0] = sample::make_affine<A>(-3, device);
    module.layers[1].weight.set_value(Tensor<A, 2>::full({2, 3}, -4, device));
    module.gains[0].set_value(Tensor<A, 1>::full({4}, -5, device));
    module.table.entries.set_value(Tensor<A, 1, Int>::full({5}, -6, device));
    module.mean.set(Tensor<A, 1>::full({2}, -7, device));
    module.constant = Tensor<A, 1>::full({2}, -8, device);
    module.wrapped.inner = module.first;
    return module;
}

/// Values and ids, to compare by.
void expect_same_state(const Record& a, const Record& b) {
    ASSERT_EQ(paths_of(a), paths_of(b));
    for (const Record::Tensor& tensor : a.tensors()) {
        EXPECT_EQ(b.tensor(tensor.path.text()).read(), tensor.read()) << tensor.path.text();
        EXPECT_EQ(b.tensor(tensor.path.text()).id, tensor.id) << tensor.path.text();
    }
}

/// The record of an Affine: weight [2, 3] of 1 to 6, bias [3] of 7 to 9.
Record affine_record() {
    Record record;
    record.add("weight", TensorData::from<float>({{1, 2, 3}, {4, 5, 6}}), 501);
    record.add("bias", TensorData::from<float>({7, 8, 9}), 502);
    return record;
}

std::string fault_of(const Record& record, const LoadOptions& options = {}) {
    auto module = sample::make_affine<A>(0, Device<A>());
    const Record before = to_record(module);
    std::string message = message_of(ErrorKind::Record, [&] { load_record(module, record, options); });
    expect_same_state(to_record(module), before);
    return message;
}

TEST(ToRecord, HasParametersAndStatesByPathAndTiedOnesOnce) {
    const auto module = sample::make_everything<A>(Device<A>());
    const Record record = to_record(module);
    EXPECT_THAT(paths_of(record), ElementsAre("first.weight", "first.bias", "layers.0.weight", "layers.0.bias",
                                              "layers.1.weight", "gains.0", "table.entries", "mean"));
    EXPECT_EQ(record.tensor("layers.1.weight").read(), TensorData::from<float>({{3, 3, 3}, {3, 3, 3}}));
    EXPECT_EQ(record.tensor("layers.1.weight").id, module.layers[1].weight.id());
    EXPECT_EQ(record.tensor("mean").id, 0u);
    EXPECT_EQ(record.tensor("table.entries").read().dtype(), DType::I64);
}

TEST(LoadRecord, RestoresValuesIdsAndTies) {
    const auto source = sample::make_everything<A>(Device<A>());
    auto target = other_everything();
    const LoadReport report = load_record(target, to_record(source));
    EXPECT_EQ(report.applied.size(), 8u);
    expect_same_state(to_record(target), to_record(source));
    EXPECT_TRUE(target.first.weight.tied_to(target.wrapped.inner.weight));
    EXPECT_EQ(target.wrapped.inner.weight.id(), source.first.weight.id());
    EXPECT_TRUE(target.first.weight.value().is_tracked());
    EXPECT_EQ(target.constant.to_data(), TensorData::from<float>({-8, -8})) << "constants are not part of a record";
}

TEST(LoadRecord, TakesARecordOfAnotherBackend) {
    auto target = sample::make_affine<NdArray>(0, Device<NdArray>());
    load_record(target, affine_record());
    EXPECT_EQ(target.bias->value().to_data(), TensorData::from<float>({7, 8, 9}));
    EXPECT_EQ(target.bias->id(), 502u);
}

TEST(LoadRecord, ADifferenceIsAFaultAndChangesNothing) {
    Record record;
    record.add("wieght", TensorData::from<float>({{1, 2, 3}, {4, 5, 6}}));
    record.add("bias", TensorData::from<float>({7, 8}));
    record.add("step", std::int64_t{3});
    EXPECT_EQ(fault_of(record),
              "load: the record does not fit the module: 0 applied, 1 missing, 2 unused, 1 mismatched\n"
              "  mismatched \"bias\": the record has f32 [2], the module f32 [3]\n"
              "  missing \"weight\" (did you mean \"wieght\"?)\n"
              "  unused \"wieght\"\n"
              "  unused \"step\"");
}

TEST(LoadRecord, OptionsAllowWhatTheyName) {
    Record partial = affine_record().part("none");
    partial.add("bias", TensorData::from<float>({7, 8, 9}));
    EXPECT_THAT(fault_of(partial), HasSubstr("missing \"weight\""));
    EXPECT_THAT(fault_of(partial, {.allow_unused = true}), HasSubstr("missing \"weight\""));
    auto module = sample::make_affine<A>(0, Device<A>());
    const LoadReport report = load_record(module, partial, {.allow_partial = true});
    EXPECT_THAT(report.applied, ElementsAre("bias"));
    EXPECT_THAT(report.missing, ElementsAre("weight"));
    EXPECT_EQ(module.weight.value().to_data(), TensorData(Shape{2, 3}, DType::F32));
    EXPECT_EQ(module.bias->value().to_data(), TensorData::from<float>({7, 8, 9}));

    Record more = affine_record();
    more.add("head.weight", TensorData::from<float>({1}));
    EXPECT_THAT(fault_of(more, {.allow_partial = true}), HasSubstr("unused \"head.weight\""));
    EXPECT_THAT(load_record(module, more, {.allow_unused = true}).unused, ElementsAre("head.weight"));
    EXPECT_EQ(module.weight.value().to_data(), TensorData::from<float>({{1, 2, 3}, {4, 5, 6}}));
}

TEST(LoadRecord, DTypesDifferOnlyAsTheOptionsSay) {
    Record record;
    record.add("weight", TensorData::from<double>({{1, 2, 3}, {4, 5, 6}}));
    record.add("bias", TensorData::from<float>({7, 8, 9}));
    EXPECT_THAT(fault_of(record), HasSubstr("\"weight\": the record has f64 [2, 3], the module f32 [2, 3]"));
    auto module = sample::make_affine<A>(0, Device<A>());
    load_record(module, record, {.dtype = LoadDType::CastToModule});
    EXPECT_EQ(module.weight.value().to_data(), TensorData::from<float>({{1, 2, 3}, {4, 5, 6}}));
    load_record(module, record, {.dtype = LoadDType::FromRecord});
    EXPECT_EQ(module.weight.value().to_data(), TensorData::from<double>({{1, 2, 3}, {4, 5, 6}}));

    Record integers;
    integers.add("weight", TensorData::from<std::int64_t>({{1, 2, 3}, {4, 5, 6}}));
    integers.add("bias", TensorData::from<bool>({true, true, true}));
    for (LoadDType policy : {LoadDType::Exact, LoadDType::FromRecord, LoadDType::CastToModule}) {
        EXPECT_THAT(fault_of(integers, {.dtype = policy}),
                    AllOf(HasSubstr("the record has i64"), HasSubstr("the record has bool")));
    }
}

/// An initialiser that must not be asked.
class Never final : public ParamInitializer {
public:
    explicit Never(const Shape& shape) : ParamInitializer(Device<A>().engine(), {shape, DType::F32}) {}
    ops::Handle make() const override {
        ADD_FAILURE() << "a value was made";
        return ops::full(engine(), spec().shape, spec().dtype, 0);
    }
};

TEST(LoadRecord, AnInitialiserThatHasNotRunNeverRuns) {
    Affine<A> module;
    module.weight = Param<Tensor<A, 2>>(make_ref<Never>(Shape{2, 3}));
    module.bias = Param<Tensor<A, 1>>(make_ref<Never>(Shape{3}));
    load_record(module, affine_record());
    EXPECT_EQ(module.bias->value().to_data(), TensorData::from<float>({7, 8, 9}));
    EXPECT_TRUE(module.bias->value().is_tracked());
}

TEST(LoadRecord, WhatWasFrozenStaysFrozen) {
    auto module = sample::make_affine<A>(0, Device<A>()).no_grad();
    load_record(module, affine_record());
    EXPECT_FALSE(module.weight.requires_grad());
    EXPECT_FALSE(module.weight.value().is_tracked());
}

/// Two modules whose weights are one parameter.
struct Tied {
    Affine<A> a, b;
    BURN_MODULE(Tied, a, b)
};

Tied make_tied() {
    Tied module;
    module.a = sample::make_affine<A>(0, Device<A>());
    module.a.bias.reset();
    module.b = module.a;
    return module;
}

TEST(LoadRecord, OfTiedParametersOnePathIsEnough) {
    const TensorData values = TensorData::from<float>({{1, 2, 3}, {4, 5, 6}});
    for (const char* path : {"a.weight", "b.weight"}) {
        Tied module = make_tied();
        Record record;
        record.add(path, values, 77);
        EXPECT_THAT(load_record(module, record).applied, ElementsAre(path));
        EXPECT_EQ(module.a.weight.value().to_data(), values);
        EXPECT_EQ(module.b.weight.value().to_data(), values);
        EXPECT_TRUE(module.a.weight.tied_to(module.b.weight));
        EXPECT_EQ(module.b.weight.id(), 77u);
    }
}

TEST(LoadRecord, SeveralPathsOfTiedParametersMustAgree) {
    Record record;
    record.add("a.weight", TensorData::from<float>({{1, 2, 3}, {4, 5, 6}}), 77);
    Record same = record, other = record;
    same.add("b.weight", TensorData::from<float>({{1, 2, 3}, {4, 5, 6}}), 77);
    other.add("b.weight", TensorData::from<float>({{1, 2, 3}, {4, 5, 0}}), 77);
    Tied module = make_tied();
    EXPECT_THAT(load_record(module, same).applied, ElementsAre("a.weight", "b.weight"));
    EXPECT_THAT(message_of(ErrorKind::Record, [&] { load_record(module, other); }),
                HasSubstr("\"b.weight\": the module ties it to \"a.weight\", the record has other values"));
}

/// Values that turn out to be unreadable.
class Unreadable final : public RecordValues {
public:
    TensorData read() const override { raise(ErrorKind::Io, Message() << "the disk is gone"); }
};

TEST(LoadRecord, AFailureInTheMiddleChangesNothing) {
    Record record;
    record.add("weight", TensorData::from<float>({{1, 2, 3}, {4, 5, 6}}), 501);
    record.add("bias", {Shape{3}, DType::F32}, make_ref<Unreadable>(), 502);
    auto module = sample::make_affine<A>(0, Device<A>());
    const Record before = to_record(module);
    EXPECT_EQ(message_of(ErrorKind::Io, [&] { load_record(module, record); }), "the disk is gone");
    expect_same_state(to_record(module), before);
}

TEST(LoadRecord, IdsStayUnique) {
    Device<A> device;
    auto module = sample::make_affine<A>(0, device);
    // The record's bias has the id that the module's weight has.
    Record record;
    record.add("bias", TensorData::from<float>({7, 8, 9}), module.weight.id());
    const ParamId id = module.weight.id();
    load_record(module, record, {.allow_partial = true});
    EXPECT_EQ(module.bias->id(), id);
    EXPECT_NE(module.weight.id(), id);

    Record twice = affine_record().part("none");
    twice.add("weight", TensorData::from<float>({{1, 2, 3}, {4, 5, 6}}), 9);
    twice.add("bias", TensorData::from<float>({7, 8, 9}), 9);
    EXPECT_THAT(fault_of(twice), HasSubstr("\"bias\": another tensor of the record has the same parameter id"));
    load_record(module, twice, {.param_ids = false});
    EXPECT_EQ(module.bias->id(), id);

    Record ahead = affine_record().part("none");
    const ParamId next = new_param_id() + 5;
    ahead.add("weight", TensorData::from<float>({{1, 2, 3}, {4, 5, 6}}), next);
    ahead.add("bias", TensorData::from<float>({7, 8, 9}));
    load_record(module, ahead);
    EXPECT_EQ(module.weight.id(), next);
    EXPECT_EQ(module.bias->id(), id) << "a record without an id leaves it";
    EXPECT_GT(new_param_id(), next);
}

TEST(LoadRecord, AModuleWithoutStateTakesAnEmptyRecord) {
    sample::Scale module;
    const LoadReport report = load_record(module, Record());
    EXPECT_THAT(report.applied, IsEmpty());
    EXPECT_THAT(paths_of(to_record(module)), IsEmpty());
}

}  // namespace
}  // namespace burn::module_record_test
