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
/// Errors    ArgumentError for another extension; IoError naming path and reason, the old file unharmed
inline void save(const Record& record, const std::string& path) { store::write_record(path, record); }
template <Module M>
void save(const M& module, const std::string& path) {
    store::write_record(path, to_record(module));
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
