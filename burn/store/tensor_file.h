#pragma once

#include <burn/core/tensor_data.h>
#include <burn/store/byte_source.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace burn::store {

/// Where one tensor lies in a file.
struct StoredTensor {
    std::string name;
    std::string stored_dtype;    ///< as the format spells it: "F32", "F8_E4M3"
    std::optional<DType> dtype;  ///< empty when the library has no such type: the tensor cannot be read
    Shape shape;
    std::size_t source = 0;    ///< which of several files
    std::uint64_t offset = 0;  ///< of its first byte, from the start of that file
    std::uint64_t bytes = 0;
    std::optional<std::uint64_t> param_id = {};  ///< identity of the parameter, where the format keeps it
};

/// A number beside the tensors: a step count, a learning rate, a flag.
using StoredScalar = std::variant<std::int64_t, std::uint64_t, double, bool>;

/// A tensor on its way into a file.
struct NamedTensor {
    std::string name;
    TensorData data;
    std::optional<std::uint64_t> param_id = {};
};

/// All that a file of tensors can hold. The order of the tensors does not matter.
struct TensorFileContents {
    std::vector<NamedTensor> tensors;
    std::map<std::string, std::string> metadata = {};
    std::map<std::string, StoredScalar> scalars = {};
};

/// The tensors of a file by name. Opening has checked everything but the values; these are read on demand.
///
/// Thread    one file may be read by several threads at a time
class TensorFile {
public:
    /// For the parsers of the formats; `tensors` have passed their checks and lie inside `source`.
    TensorFile(ByteSource source, const char* format, std::vector<StoredTensor> tensors,
               std::map<std::string, std::string> metadata, std::map<std::string, StoredScalar> scalars = {});
    /// Several files of one format as one; `name` is what errors call them. Of two metadata with one key, the first stays.
    ///
    /// Errors    ParseError when two have a tensor of one name
    TensorFile(std::string name, std::vector<TensorFile> parts);

    /// The path, or what errors call the memory it came from.
    const std::string& name() const { return name_; }
    /// "safetensors" or "burnpack".
    const char* format() const { return format_; }

    /// In the order in which they lie in the file.
    std::span<const StoredTensor> tensors() const { return tensors_; }
    std::size_t size() const { return tensors_.size(); }
    bool contains(std::string_view name) const { return find(name) != nullptr; }
    /// Null when there is none of that name.
    const StoredTensor* find(std::string_view name) const;

    /// Reads the values of one tensor.
    ///
    /// Errors    RecordError when there is none of that name, with the closest names; UnsupportedError when the library
    ///           has no such dtype; ArgumentError for a tensor of another file; ParseError when a Bool is neither 0 nor 1; IoError
    TensorData read(std::string_view name) const;
    TensorData read(const StoredTensor& tensor) const;

    const std::map<std::string, std::string>& metadata() const { return metadata_; }
    const std::map<std::string, StoredScalar>& scalars() const { return scalars_; }

private:
    void sort_names();

    std::string name_;
    std::vector<ByteSource> sources_;
    const char* format_ = "";
    std::vector<StoredTensor> tensors_;
    std::vector<std::uint32_t> by_name_;  // indices into tensors_, sorted by name
    std::map<std::string, std::string> metadata_;
    std::map<std::string, StoredScalar> scalars_;
};

}  // namespace burn::store
