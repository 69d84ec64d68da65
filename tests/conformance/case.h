#pragma once

#include <burn/store/tensor_file.h>

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace burn::conformance {

/// One stored result: an operation, its arguments, operands and what must come out. See tests/data-files/oracle/README.md.
struct Case {
    std::string name;   ///< "softmax.1"
    std::string place;  ///< what errors call it: "activation.json, case softmax.1", with the path of the file
    std::string op;
    nlohmann::ordered_json args;  ///< in the order of the file, which is that of the operation's scalars
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::vector<std::string> cotangents;   ///< one an output, "" where none flows; empty when the case has no gradients
    std::vector<std::string> input_grads;  ///< one an input, "" where there is nothing to check
    double rtol = 0;
    double atol = 0;
    std::optional<DType> dtype;  ///< what the operands should have; empty: what the file has
    bool special = false;        ///< NaN or infinity is meant to occur
};

/// The cases of one pair of files.
struct Family {
    std::string name;
    std::vector<Case> cases;
    store::TensorFile tensors;

    /// A tensor of the file, bytes that stand for truth values as Bool; in `dtype` where it is of that kind.
    TensorData read(const std::string& name, std::optional<DType> dtype = {}) const;
};

/// Reads the pair `stem`.json and `stem`.safetensors. That the tensors exist which a case names is found out when it is run.
///
/// Errors    IoError when one of the two is not there; ParseError naming the file, the case (by its index while it has no
///           name) and the field: a wrong type, a list whose length is not that of the operands or results, a tolerance that
///           is negative or not finite, a gradient that nothing would check, a family without cases
Family load_family(const std::string& stem);

/// Raises the ParseError of a field: "oracle: <place>, field <field>: <what>".
[[noreturn]] void malformed(const std::string& place, const std::string& field, const std::string& what);

/// What a field has instead of what was expected: its JSON, cut when it is long.
std::string shown(const nlohmann::ordered_json& json);

/// The text of an error of the JSON library without its number in front.
std::string plain_text(const nlohmann::ordered_json::exception& error);

/// The stems of all .json and .safetensors files of a directory, in order of their names; a file without its partner too, so
/// that loading it says what is missing.
///
/// Errors    IoError when the directory cannot be read; ArgumentError when there is no such file in it
std::vector<std::string> find_families(const std::string& directory);

/// "f16" -> DType::F16.
///
/// Errors    ArgumentError for other names
DType parse_dtype(const std::string& name);

}  // namespace burn::conformance
