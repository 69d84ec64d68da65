#include <burn/base/error.h>
#include <burn/store/file_kind.h>
#include <burn/store/quote.h>
#include <burn/store/safetensors.h>
#include <burn/store/safetensors_dtypes.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace burn::store {

namespace {

constexpr std::uint64_t kLargestHeader = 100'000'000;
constexpr const char* kFormat = "safetensors";

/// What the JSON says of a tensor, before it is checked.
struct Description {
    std::string name;
    std::string dtype;
    std::vector<std::uint64_t> shape;
    std::vector<std::uint64_t> offsets;
    bool has_shape = false;
};

/// Walks through the header's JSON without building a tree, so that memory stays in proportion to what is kept.
///
/// A handler returns false to stop; `fault` then says why.
class HeaderHandler {
public:
    using number_integer_t = nlohmann::json::number_integer_t;
    using number_unsigned_t = nlohmann::json::number_unsigned_t;
    using number_float_t = nlohmann::json::number_float_t;
    using string_t = nlohmann::json::string_t;
    using binary_t = nlohmann::json::binary_t;

    std::vector<Description> tensors;
    std::map<std::string, std::string> metadata;
    std::string fault;

    bool start_object(std::size_t) {
        if (ignored_ > 0 || (place_ == Place::Field && !is_known_field())) return ignore_deeper();
        switch (place_) {
            case Place::Outside: place_ = Place::Top; return true;
            case Place::Tensor: place_ = Place::Fields; return true;
            case Place::MetadataStart: place_ = Place::Metadata; return true;
            default: return unexpected("an object");
        }
    }

    bool end_object() {
        if (ignored_ > 0) return leave_ignored();
        if (place_ == Place::Fields) {
            place_ = Place::Top;
            return is_complete();
        }
        place_ = place_ == Place::Metadata ? Place::Top : Place::Outside;
        return true;
    }

    bool key(string_t& key) {
        if (ignored_ > 0) return true;
        if (place_ == Place::Top) return start_entry(key);
        if (!keys_.insert(key).second) return refuse("key " + quote(key) + " of " + entry() + " occurs twice");
        field_ = key;
        place_ = place_ == Place::Fields ? Place::Field : Place::MetadataValue;
        return true;
    }

    bool start_array(std::size_t) {
        if (ignored_ > 0 || (place_ == Place::Field && !is_known_field())) return ignore_deeper();
        if (place_ != Place::Field || field_ == "dtype") return unexpected("an array");
        place_ = field_ == "shape" ? Place::Sizes : Place::Offsets;
        return true;
    }

    bool end_array() {
        if (ignored_ > 0) return leave_ignored();
        if (place_ == Place::Sizes) tensors.back().has_shape = true;
        place_ = Place::Fields;
        return true;
    }

    bool string(string_t& value) {
        if (ignored_ > 0) return true;
        if (place_ == Place::MetadataValue) {
            metadata.emplace(field_, value);
            place_ = Place::Metadata;
            return true;
        }
        if (place_ == Place::Field && field_ == "dtype") {
            tensors.back().dtype = value;
            place_ = Place::Fields;
            return true;
        }
        return scalar("a string");
    }

    bool number_unsigned(number_unsigned_t value) {
        if (ignored_ > 0) return true;
        if (place_ == Place::Sizes) {
            if (tensors.back().shape.size() == kMaxRank) {
                return refuse(entry() + " has more than " + std::to_string(kMaxRank) + " axes");
            }
            tensors.back().shape.push_back(value);
            return true;
        }
        if (place_ == Place::Offsets) {
            if (tensors.back().offsets.size() == 2) return refuse(entry() + " has more than two data_offsets");
            tensors.back().offsets.push_back(value);
            return true;
        }
        return scalar("a number");
    }

    bool number_integer(number_integer_t value) {
        return ignored_ > 0 || not_a_size("the negative number " + std::to_string(value));
    }
    bool number_float(number_float_t, const string_t& text) {
        return ignored_ > 0 || not_a_size("the number " + quote(text));
    }
    bool boolean(bool) { return ignored_ > 0 || scalar("a boolean"); }
    bool null() { return ignored_ > 0 || scalar("null"); }
    bool binary(binary_t&) { return unexpected("binary data"); }

    bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) {
        return refuse("the header is not valid JSON at byte " + std::to_string(position) + " of it");
    }

private:
    enum class Place : std::uint8_t {
        Outside,        // before and after the header
        Top,            // between entries
        Tensor,         // after the name of a tensor
        Fields,         // between the fields of a tensor
        Field,          // after the name of a field
        Sizes,          // in "shape"
        Offsets,        // in "data_offsets"
        MetadataStart,  // after "__metadata__"
        Metadata,       // between the entries of the metadata
        MetadataValue,  // after the name of one
    };

    bool refuse(std::string why) {
        fault = std::move(why);
        return false;
    }

    /// What the walk is in the middle of, for messages.
    std::string entry() const {
        if (place_ == Place::Metadata || place_ == Place::MetadataStart || place_ == Place::MetadataValue) {
            return "\"__metadata__\"";
        }
        return tensors.empty() ? "the header" : "tensor " + quote(tensors.back().name);
    }

    bool unexpected(const char* what) {
        if (place_ == Place::Outside) return refuse(std::string("the header is ") + what + "; expected an object");
        if (place_ == Place::MetadataValue) {
            return refuse("key " + quote(field_) + " of \"__metadata__\" is " + what + "; expected a string");
        }
        if (place_ == Place::Field) return refuse("field " + quote(field_) + " of " + entry() + " cannot be " + what);
        return refuse(entry() + " has " + what + " where it cannot");
    }

    bool is_known_field() const { return field_ == "dtype" || field_ == "shape" || field_ == "data_offsets"; }

    /// Fields that the format may gain one day are skipped, whatever they hold.
    bool ignore_deeper() {
        constexpr std::size_t kDeepest = 16;
        if (ignored_ == kDeepest) return refuse("the header is nested too deeply");
        ++ignored_;
        return true;
    }
    bool leave_ignored() {
        if (--ignored_ == 0) place_ = Place::Fields;
        return true;
    }
    bool scalar(const char* what) {
        if (place_ != Place::Field || is_known_field()) return unexpected(what);
        place_ = Place::Fields;
        return true;
    }
    bool not_a_size(const std::string& what) {
        if (place_ == Place::Sizes || place_ == Place::Offsets) {
            return refuse(entry() + " has " + what + " in its " + (place_ == Place::Sizes ? "shape" : "data_offsets") +
                          "; expected an integer from 0 to 2^64 - 1");
        }
        return scalar("a number");
    }

    bool start_entry(const std::string& key) {
        if (!names_.insert(key).second) return refuse("the name " + quote(key) + " occurs twice");
        keys_.clear();
        if (key == "__metadata__") {
            place_ = Place::MetadataStart;
            return true;
        }
        tensors.emplace_back().name = key;
        place_ = Place::Tensor;
        return true;
    }

    bool is_complete() {
        const Description& tensor = tensors.back();
        if (keys_.count("dtype") == 0) return refuse(entry() + " has no dtype");
        if (!tensor.has_shape) return refuse(entry() + " has no shape");
        if (tensor.offsets.size() != 2) {
            return refuse(entry() + " has " + std::to_string(tensor.offsets.size()) +
                          " data_offsets; expected [begin, end]");
        }
        return true;
    }

    Place place_ = Place::Outside;
    std::size_t ignored_ = 0;  // depth inside a field that is skipped
    std::string field_;
    std::unordered_set<std::string> names_;
    std::unordered_set<std::string> keys_;
};

[[noreturn]] void refuse(const ByteSource& source, const std::string& fault) {
    raise(ErrorKind::Parse, Message() << kFormat << ": " << quote_path(source.name()).c_str() << ": " << fault.c_str());
}

std::string text_of(std::span<const std::uint64_t> numbers) {
    std::string text = "[";
    for (std::size_t i = 0; i < numbers.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(numbers[i]);
    return text + "]";
}

/// The bytes that dtype and shape demand; false when their number does not fit 63 bits or a byte.
bool byte_size(const Description& tensor, std::size_t bits, std::uint64_t& bytes) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 62;
    std::uint64_t product = bits;
    bool empty = false;
    for (std::uint64_t size : tensor.shape) {
        if (size > kMost) return false;
        empty = empty || size == 0;
    }
    for (std::uint64_t size : tensor.shape) {
        if (empty) break;
        if (product > kMost / size) return false;
        product *= size;
    }
    bytes = empty ? 0 : product / 8;
    return empty || product % 8 == 0;
}

StoredTensor checked(const Description& tensor, std::uint64_t data_start, std::uint64_t data_size,
                     const ByteSource& source) {
    const std::string name = "tensor " + quote(tensor.name);
    const SafetensorsDType* known = find_safetensors_dtype(tensor.dtype);
    if (known == nullptr) {
        refuse(source, name + ": unknown dtype " + quote(tensor.dtype) +
                           "; expected F64, F32, F16, BF16, I64 to I8, U64 to U8 or BOOL");
    }
    const std::uint64_t begin = tensor.offsets[0], end = tensor.offsets[1];
    const std::string offsets = "data_offsets " + text_of(tensor.offsets);
    if (begin > end) refuse(source, name + ": " + offsets + " are reversed; expected begin <= end");
    if (end > data_size) {
        refuse(source, name + ": " + offsets + " go past the end of the file; it holds " + std::to_string(data_size) +
                           " bytes of values");
    }
    std::uint64_t bytes = 0;
    const std::string type = tensor.dtype + " " + text_of(tensor.shape);
    if (!byte_size(tensor, known->bits, bytes)) {
        refuse(source, name + ": a tensor of " + type + " has no representable size; " + offsets);
    }
    if (bytes != end - begin) {
        refuse(source, name + ": " + offsets + " span " + std::to_string(end - begin) + " bytes; expected " +
                           std::to_string(bytes) + " for " + type);
    }
    StoredTensor stored;
    stored.name = tensor.name;
    stored.stored_dtype = tensor.dtype;
    if (known->readable) stored.dtype = known->dtype;
    for (std::uint64_t size : tensor.shape) stored.shape.push_back(static_cast<std::int64_t>(size));
    stored.offset = data_start + begin;
    stored.bytes = bytes;
    return stored;
}

/// The tensors, in order, fill `start` to the end of the file.
void require_tiling(std::span<const StoredTensor> tensors, std::uint64_t start, const ByteSource& source) {
    std::uint64_t expected = start;
    const StoredTensor* previous = nullptr;
    for (const StoredTensor& tensor : tensors) {
        if (tensor.offset < expected) {
            refuse(source, "tensors " + quote(previous->name) + " and " + quote(tensor.name) +
                               " overlap: the second begins at " + std::to_string(tensor.offset - start) +
                               "; expected " + std::to_string(expected - start));
        }
        if (tensor.offset > expected) {
            refuse(source, "there is a hole of " + std::to_string(tensor.offset - expected) + " bytes before tensor " +
                               quote(tensor.name) + "; expected it to begin at " + std::to_string(expected - start));
        }
        expected += tensor.bytes;
        previous = &tensor;
    }
    if (expected != source.size()) {
        refuse(source, std::to_string(source.size() - expected) +
                           " bytes after the last tensor belong to none; expected the file to end there");
    }
}

std::string read_header(const ByteSource& source) {
    std::byte length_bytes[8] = {};
    if (source.size() < sizeof length_bytes)
        raise_wrong_kind(kFormat, source, "the file is shorter than a header's length");
    source.read(0, length_bytes);
    std::uint64_t length = 0;
    std::memcpy(&length, length_bytes, sizeof length);
    const FileKind kind = file_kind(source);
    const bool plausible = length <= kLargestHeader && length <= source.size() - sizeof length_bytes;
    if (!plausible && kind != FileKind::Safetensors) {
        raise_wrong_kind(kFormat, source, "the first 8 bytes are no plausible length of a header");
    }
    if (length > kLargestHeader) {
        refuse(source, "the header claims " + std::to_string(length) + " bytes; expected at most " +
                           std::to_string(kLargestHeader));
    }
    if (!plausible) {
        refuse(source, "the header claims " + std::to_string(length) + " bytes, the file has " +
                           std::to_string(source.size() - sizeof length_bytes) + " after the length");
    }
    std::string header(static_cast<std::size_t>(length), '\0');
    source.read(sizeof length_bytes, std::as_writable_bytes(std::span(header)));
    if (header.empty() || header[0] != '{') {
        if (kind != FileKind::Safetensors && kind != FileKind::Unknown) raise_wrong_kind(kFormat, source, "");
        refuse(source, "the header does not begin with a brace");
    }
    // The JSON library takes a zero for the end of its input.
    if (header.find('\0') != std::string::npos) refuse(source, "the header contains a zero byte");
    return header;
}

}  // namespace

TensorFile open_safetensors(ByteSource source) {
    const std::string header = read_header(source);
    HeaderHandler handler;
    if (!nlohmann::json::sax_parse(header.begin(), header.end(), &handler)) refuse(source, handler.fault);
    const std::uint64_t data_start = 8 + header.size();
    std::vector<StoredTensor> tensors;
    tensors.reserve(handler.tensors.size());
    for (const Description& tensor : handler.tensors) {
        tensors.push_back(checked(tensor, data_start, source.size() - data_start, source));
    }
    std::sort(tensors.begin(), tensors.end(), [](const StoredTensor& a, const StoredTensor& b) {
        return std::tie(a.offset, a.bytes, a.name) < std::tie(b.offset, b.bytes, b.name);
    });
    require_tiling(tensors, data_start, source);
    return TensorFile(std::move(source), kFormat, std::move(tensors), std::move(handler.metadata));
}

TensorFile open_safetensors(const std::string& path) {
    return open_safetensors(ByteSource::open(path));
}

}  // namespace burn::store
