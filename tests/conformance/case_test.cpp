// Damaged cases, families and directories: what loading them says, and what the program does about them.
#include "tests/conformance/case.h"
#include "tests/conformance/compare.h"
#include "tests/support/scratch_folder.h"

#include <burn/base/error.h>
#include <burn/store/safetensors.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cmath>
#include <cstdio>

namespace burn::conformance::case_test {
namespace {

using Json = nlohmann::ordered_json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A case that passes: the sum of [1, 2, 3, 4] over axis 0, and its gradient.
Json good_case() {
    return {{"name", "sum_dim.0"},     {"op", "sum_dim"},          {"args", {{"dim", 0}}},
            {"inputs", {"x"}},         {"outputs", {"out"}},       {"cotangents", {"cotangent"}},
            {"input_grads", {"grad"}}, {"tolerance", {1e-5, 1e-6}}};
}

Json with(const char* field, const Json& value) {
    Json result = good_case();
    result[field] = value;
    return result;
}

Json without(const char* field) {
    Json result = good_case();
    result.erase(field);
    return result;
}

Json family_of(const std::vector<Json>& cases) { return {{"family", "small"}, {"format", 1}, {"cases", cases}}; }

/// A directory of stored results that the test writes.
class OracleFolder {
public:
    std::string stem(const std::string& name) const { return folder_.path(name); }
    void write(const std::string& file, const std::string& bytes) const { folder_.write(file, bytes); }

    void write_tensors(const std::string& name) const {
        const auto filled = [](const char* tensor, std::initializer_list<float> values) {
            return store::NamedTensor{tensor, TensorData::from(values)};
        };
        store::write_safetensors(stem(name) + ".safetensors",
                                 {.tensors = {filled("x", {1, 2, 3, 4}), filled("out", {10}), filled("wrong", {11}),
                                              filled("cotangent", {2}), filled("grad", {2, 2, 2, 2})}});
    }

    void write_family(const std::string& name, const std::vector<Json>& cases) const {
        write(name + ".json", family_of(cases).dump());
        write_tensors(name);
    }

    struct Result {
        int exit_code;  // -1 when the program was ended by a signal
        std::string output;
    };

    Result run_program(const std::string& arguments = "--backend ndarray") const {
        const std::string command =
            std::string(BURN_ORACLE_PROGRAM) + " " + folder_.path("") + " " + arguments + " 2>&1";
        std::FILE* pipe = ::popen(command.c_str(), "r");
        std::string output;
        char piece[4096];
        while (const std::size_t size = std::fread(piece, 1, sizeof(piece), pipe)) output.append(piece, size);
        const int status = ::pclose(pipe);
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
    }

private:
    ScratchFolder folder_;
};

std::string loading(const Json& family) {
    const OracleFolder folder;
    folder.write("small.json", family.dump());
    folder.write_tensors("small");
    try {
        load_family(folder.stem("small"));
    } catch (const ParseError& error) {
        return error.what();
    } catch (const std::exception& error) {
        return std::string("another error: ") + error.what();
    }
    return "no error";
}

/// The ParseError of a case begins with the file and the case, then the field; and it is in our words.
auto names_field(const std::string& field, const std::string& what) {
    return AllOf(HasSubstr("small.json, case sum_dim.0, field " + field + ": "), HasSubstr(what),
                 Not(HasSubstr("json.exception")));
}

TEST(OracleCase, TheUndamagedOneLoadsAndPasses) {
    EXPECT_EQ(loading(family_of({good_case()})), "no error");
    const OracleFolder folder;
    folder.write_family("small", {good_case()});
    const OracleFolder::Result result = folder.run_program();
    EXPECT_EQ(result.exit_code, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("1 passed, 0 failed, 0 skipped"));
}

TEST(OracleCase, ListsAreAsLongAsTheOperandsAndResults) {
    const auto says = [](const char* field, const Json& list) { return loading(family_of({with(field, list)})); };
    const Json none = Json::array();
    EXPECT_THAT(says("input_grads", none), names_field("input_grads", "expected 1 names"));
    EXPECT_THAT(says("input_grads", {"grad", nullptr}), names_field("input_grads", "got 2"));
    EXPECT_THAT(says("cotangents", {"cotangent", nullptr}), names_field("cotangents", "got 2"));
    EXPECT_THAT(says("inputs", {"x", "x"}), names_field("input_grads", "expected 2 names"));
    EXPECT_THAT(says("inputs", none), names_field("input_grads", "expected 0 names"));
    EXPECT_THAT(says("outputs", {"out", "out"}), names_field("cotangents", "expected 2 names"));
    EXPECT_THAT(says("outputs", none), names_field("outputs", "at least one"));
    EXPECT_THAT(says("tolerance", none), names_field("tolerance", "[rtol, atol]"));
    EXPECT_THAT(says("tolerance", {1, 1, 1}), names_field("tolerance", "[rtol, atol]"));
}

// A gradient that is listed and never compared would look like one that agrees.
TEST(OracleCase, GradientsAreEitherCheckedOrAbsent) {
    const auto says = [](const char* field, const Json& list) { return loading(family_of({with(field, list)})); };
    EXPECT_THAT(says("cotangents", Json::array()), names_field("input_grads", "only null"));
    EXPECT_THAT(says("cotangents", Json::array({nullptr})), names_field("cotangents", "at least one"));
    EXPECT_THAT(says("input_grads", Json::array({nullptr})), names_field("input_grads", "at least one"));
    Json plain = with("cotangents", Json::array());
    plain["input_grads"] = Json::array();
    EXPECT_EQ(loading(family_of({plain})), "no error");
    plain["input_grads"] = Json::array({nullptr});
    EXPECT_EQ(loading(family_of({plain})), "no error");
}

TEST(OracleCase, TolerancesAreFiniteAndNotNegative) {
    for (const Json& pair : {Json{-1, -1}, Json{-1e-9, 0}, Json{0, -1}, Json{nullptr, 0}, Json{"inf", 0}})
        EXPECT_THAT(loading(family_of({with("tolerance", pair)})), names_field("tolerance", pair.dump()));
    std::string overflow = family_of({with("tolerance", {7, 0})}).dump();
    overflow.replace(overflow.find("[7,"), 3, "[1e999,");
    const OracleFolder folder;
    folder.write("small.json", overflow);
    EXPECT_THROW(load_family(folder.stem("small")), ParseError);
    EXPECT_EQ(loading(family_of({with("tolerance", {0, 0})})), "no error");
}

// Whoever calls it with such a tolerance must not be told that all is well.
TEST(OracleCompare, NoToleranceBelowZeroMakesAWrongValuePass) {
    const TensorData want = TensorData::from({1.0f});
    const TensorData got = TensorData::from({2.0f});
    EXPECT_NE(difference(got, want, -1, -1), "");
    EXPECT_NE(difference(got, want, NAN, 0), "");
    EXPECT_NE(difference(got, want, 0, 0), "");
    EXPECT_EQ(difference(want, want, 0, 0), "");
}

TEST(OracleCase, EveryFieldIsThereAndOfItsType) {
    for (const char* field : {"op", "args", "inputs", "outputs", "cotangents", "input_grads", "tolerance"}) {
        EXPECT_THAT(loading(family_of({without(field)})), names_field(field, "is missing"));
        EXPECT_THAT(loading(family_of({with(field, 7)})), names_field(field, "got 7"));
    }
    for (const char* field : {"inputs", "outputs", "cotangents", "input_grads"})
        EXPECT_THAT(loading(family_of({with(field, {7})})), names_field(field, "got 7"));
    for (const char* field : {"inputs", "outputs"})
        EXPECT_THAT(loading(family_of({with(field, Json::array({nullptr}))})), names_field(field, "got null"));
    EXPECT_THAT(loading(family_of({with("dtype", 7)})), names_field("dtype", "got 7"));
    EXPECT_THAT(loading(family_of({with("dtype", "f13")})), names_field("dtype", "got \"f13\""));
    EXPECT_THAT(loading(family_of({with("special", "yes")})), names_field("special", "got \"yes\""));
}

TEST(OracleCase, OneWithoutANameIsNamedByItsIndex) {
    EXPECT_THAT(loading(family_of({good_case(), without("name")})), HasSubstr("small.json, cases[1], field name: "));
    EXPECT_THAT(loading(family_of({good_case(), with("name", 7)})), HasSubstr("small.json, cases[1], field name: "));
    EXPECT_THAT(loading(family_of({good_case(), Json("text")})), HasSubstr("small.json, cases[1]: expected an object"));
}

TEST(OracleFamily, EveryFieldIsThereAndOfItsType) {
    const Json good = family_of({good_case()});
    for (const char* field : {"family", "format", "cases"}) {
        Json damaged = good;
        damaged[field] = Json::array();
        EXPECT_THAT(loading(damaged), HasSubstr(std::string("small.json, field ") + field + ": expected "));
        damaged.erase(field);
        EXPECT_THAT(loading(damaged), HasSubstr(std::string("small.json, field ") + field + ": is missing"));
    }
    EXPECT_THAT(loading(Json::array()), HasSubstr("small.json: expected an object"));
}

TEST(OracleProgram, AWrongArgumentNamesFileCaseAndField) {
    const OracleFolder folder;
    folder.write_family("small", {with("args", {{"dim", "zero"}}), with("args", {{"dim", 0.5}}),
                                  with("args", Json::object()), good_case()});
    const OracleFolder::Result result = folder.run_program();
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.output, names_field("args.dim", "expected an integer, got \"zero\""));
    EXPECT_THAT(result.output, names_field("args.dim", "expected an integer, got 0.5"));
    EXPECT_THAT(result.output, names_field("args.dim", "is missing"));
    EXPECT_THAT(result.output, HasSubstr("1 passed, 3 failed, 0 skipped"));
}

TEST(OracleProgram, ArgumentsThatABindingOrASkipRuleTakesApartToo) {
    Json slice = with("args", {{"dim", 0}, {"range", {"a", nullptr, 1}}});
    slice["op"] = "slice_dim";
    Json norm = with("args", Json::object());
    norm["op"] = "batch_norm_train";
    const OracleFolder folder;
    folder.write_family("small", {slice, norm});
    const OracleFolder::Result result = folder.run_program();
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.output, names_field("args.range", "type must be number, but is string"));
    EXPECT_THAT(result.output, names_field("args", "running_var_correction"));
    EXPECT_THAT(result.output, HasSubstr("0 passed, 2 failed, 0 skipped"));
}

TEST(OracleProgram, MoreResultsThanTheCaseListsIsAFailure) {
    Json two = good_case();
    two["op"] = "max_dim_with_indices";
    const OracleFolder folder;
    folder.write_family("small", {two});
    const OracleFolder::Result result = folder.run_program("--backend ndarray --verbose");
    EXPECT_EQ(result.exit_code, 1) << result.output;
    EXPECT_THAT(result.output, HasSubstr("tracked, contiguous: 2 outputs, expected 1"));
}

TEST(OracleProgram, AMissingTensorFailsItsCaseAlone) {
    const OracleFolder folder;
    folder.write_family("small", {with("inputs", {"absent"}), with("outputs", {"wrong"}), good_case()});
    const OracleFolder::Result result = folder.run_program();
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.output, HasSubstr("RecordError"));
    EXPECT_THAT(result.output, HasSubstr("absent"));
    EXPECT_THAT(result.output, HasSubstr("1 passed, 2 failed, 0 skipped"));
}

TEST(OracleProgram, ABrokenFamilyIsReportedAndTheOthersRun) {
    const OracleFolder folder;
    folder.write("a_text.json", "{\"family\": ");
    folder.write_family("b_tolerance", {with("tolerance", {-1, -1})});
    folder.write_family("c_empty", {});
    folder.write("d_alone.json", family_of({good_case()}).dump());
    folder.write_tensors("e_alone");
    folder.write("f_tensors.json", family_of({good_case()}).dump());
    folder.write("f_tensors.safetensors", "no tensors");
    folder.write_family("g_good", {good_case()});
    const OracleFolder::Result result = folder.run_program();
    EXPECT_EQ(result.exit_code, 2);
    for (const char* name : {"a_text", "b_tolerance", "c_empty", "d_alone", "e_alone", "f_tensors"})
        EXPECT_THAT(result.output, HasSubstr("UNREAD " + folder.stem("") + name + ": "));
    EXPECT_THAT(result.output, HasSubstr("6 of 7 families could not be read\n1 passed, 0 failed, 0 skipped\n"));
    EXPECT_THAT(result.output, Not(HasSubstr("json.exception")));
}

TEST(OracleProgram, NothingToRunIsAnError) {
    const OracleFolder folder;
    EXPECT_EQ(folder.run_program().exit_code, 2);
    folder.write_family("small", {});
    const OracleFolder::Result result = folder.run_program();
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.output, HasSubstr("0 passed, 0 failed, 0 skipped"));
}

TEST(OracleProgram, HelpIsNoError) {
    const OracleFolder folder;
    for (const char* flag : {"--help", "-h"}) {
        const OracleFolder::Result result = folder.run_program(flag);
        EXPECT_EQ(result.exit_code, 0);
        EXPECT_THAT(result.output, testing::StartsWith("usage: burn-oracle DIR"));
    }
}

}  // namespace
}  // namespace burn::conformance::case_test
