#pragma once

#include <burn/store/module_record.h>
#include <burn/store/record_file.h>

#include <string>

/// Saving to files and loading from them.
///
/// Example   burn::save(model, "model.bpk");
///           auto model = ModelConfig{}.init(device);
///           burn::load(model, "model.bpk");

namespace burn {

/// Saves a record, a module, or whatever gives a record (an optimiser), whole or not at all: burnpack for ".bpk",
/// safetensors for ".safetensors".
///
/// A module without any parameter or running state has nothing to save; mostly it is one that was moved from, so that
/// writing it would put an empty file in the place of a good one. It is refused.
///
/// Errors    ArgumentError for another extension, for an object that was moved from, for a module with a parameter that has no
///           value or without any; IoError naming path and reason; the old file is unharmed after any of them
inline void save(const Record& record, const std::string& path) { store::write_record(path, record); }
template <Module M>
void save(const M& module, const std::string& path) {
    const Record record = to_record(module);
    detail::require_state(record, M::kModuleName);
    store::write_record(path, record);
}
template <Recordable T>
void save(const T& source, const std::string& path) {
    store::write_record(path, source.record());
}

/// Loads a module from a burnpack or safetensors file, told by its content.
///
/// Errors    IoError; ParseError naming file and tensor; RecordError with the report of what does not fit. The module is
///           as it was after any of them
template <Module M>
LoadReport load(M& module, const std::string& path, const LoadOptions& options = {}) {
    return detail::load_checked(module, store::read_record(path), options, detail::quoted_file(path).c_str());
}

/// Gives the record in a file to whatever takes one.
///
/// Errors    IoError; ParseError; RecordError naming the file
template <Recordable T>
void load(T& target, const std::string& path) {
    detail::load_into([&](const Record& record) { target.load_record(record); }, path);
}

}  // namespace burn
