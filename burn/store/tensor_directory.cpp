#include <burn/store/quote.h>
#include <burn/store/tensor_directory.h>

#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

namespace burn::store {

namespace {

enum class Format : std::uint8_t { Safetensors, Burnpack };

/// Walks through a directory without building a tree of it.
///
/// A handler returns false to stop; `fault` then says why. As the walk stops at a bounded depth, so do the recursive
/// parsers that drive it.
class DirectoryHandler {
public:
    DirectoryHandler(Format format, TensorDirectory& directory) : format_(format), directory_(directory) {}

    std::string fault;

    bool start_object(std::size_t) {
        switch (place_) {
            case Place::Outside: place_ = Place::Top; return true;
            case Place::TensorsStart: place_ = Place::Tensors; return start_keys();
            case Place::TensorStart: place_ = Place::Fields; return true;
            case Place::MetadataStart: place_ = Place::Metadata; return start_keys();
            case Place::ScalarsStart: place_ = Place::Scalars; return start_keys();
            case Place::ScalarStart: place_ = Place::ScalarType; return true;
            case Place::DType:
                if (format_ != Format::Burnpack) return unexpected("an object");
                place_ = Place::DTypeVariant;
                return true;
            case Place::DTypePayload:
            case Place::Unknown:
            case Place::Skipped: return skip_deeper();
            default: return unexpected("an object");
        }
    }

    bool end_object() {
        switch (place_) {
            case Place::Skipped: return leave_skipped();
            case Place::Fields: place_ = tensors_place(); return is_complete();
            case Place::DTypeVariant: place_ = Place::Fields; return true;
            case Place::ScalarType:
                if (directory_.scalars.count(key_) == 0) return refuse("scalar " + quote(key_) + " has no value");
                place_ = Place::Scalars;
                return true;
            case Place::Top: place_ = Place::Outside; return true;
            default: place_ = Place::Top; return true;
        }
    }

    bool key(std::string& key) {
        switch (place_) {
            case Place::Skipped: return true;
            case Place::Top: return format_ == Format::Safetensors ? start_tensor(key) : start_section(key);
            case Place::Tensors: return start_tensor(key);
            case Place::Fields: return start_field(key);
            case Place::DTypeVariant:
                tensor().dtype = key;
                place_ = Place::DTypePayload;
                return true;
            case Place::ScalarType:
                type_ = key;
                place_ = Place::ScalarValue;
                return true;
            default: break;  // the entries of Metadata and Scalars
        }
        key_ = key;
        if (!keys_.insert(key).second) return refuse("key " + quote(key) + " of " + entry() + " occurs twice");
        place_ = place_ == Place::Metadata ? Place::MetadataValue : Place::ScalarStart;
        return true;
    }

    bool start_array(std::size_t) {
        switch (place_) {
            case Place::Shape: place_ = Place::Sizes; return true;
            case Place::Offsets: place_ = Place::OffsetPair; return true;
            case Place::DTypePayload:
            case Place::Unknown:
            case Place::Skipped: return skip_deeper();
            default: return unexpected("an array");
        }
    }

    bool end_array() {
        if (place_ == Place::Skipped) return leave_skipped();
        place_ = Place::Fields;
        return true;
    }

    bool string(std::string& value) {
        switch (place_) {
            case Place::MetadataValue:
                directory_.metadata.emplace(key_, value);
                place_ = Place::Metadata;
                return true;
            case Place::DType:
                tensor().dtype = value;
                place_ = Place::Fields;
                return true;
            case Place::DTypePayload:
                tensor().dtype += "(" + value + ")";
                place_ = Place::DTypeVariant;
                return true;
            default: return skip("a string");
        }
    }

    bool number_unsigned(std::uint64_t value) {
        switch (place_) {
            case Place::Sizes:
                if (tensor().shape.size() == kMaxRank) {
                    return refuse(entry() + " has more than " + std::to_string(kMaxRank) + " axes");
                }
                tensor().shape.push_back(value);
                return true;
            case Place::OffsetPair:
                if (tensor().offsets.size() == 2) return refuse(entry() + " has more than two data_offsets");
                tensor().offsets.push_back(value);
                return true;
            case Place::ParamId:
                tensor().param_id = value;
                place_ = Place::Fields;
                return true;
            case Place::ScalarValue: return integer_scalar(value <= INT64_MAX, static_cast<std::int64_t>(value), value);
            default: return skip("a number");
        }
    }

    bool number_integer(std::int64_t value) {
        if (place_ == Place::ScalarValue)
            return integer_scalar(true, value, static_cast<std::uint64_t>(value), value < 0);
        return other_number("the negative number " + std::to_string(value));
    }

    bool number_float(double value, const std::string& text) {
        if (place_ == Place::ScalarValue) {
            if (type_ != "Float")
                return refuse("scalar " + quote(key_) + " of type " + quote(type_) + " is a fraction");
            return add_scalar(value);
        }
        return other_number("the number " + (text.empty() ? std::to_string(value) : quote(text)));
    }

    bool boolean(bool value) {
        if (place_ == Place::ScalarValue && type_ == "Bool") return add_scalar(value);
        return skip("a boolean");
    }

    bool null() {
        if (place_ == Place::ParamId) {
            place_ = Place::Fields;
            return true;
        }
        return skip("null");
    }

    bool binary(nlohmann::json::binary_t&) { return skip("a byte string"); }

    bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) {
        const char* what =
            format_ == Format::Safetensors ? "the header is not valid JSON" : "the metadata is not valid CBOR";
        return refuse(what + (" at byte " + std::to_string(position) + " of it"));
    }

private:
    /// Where the walk is. The name of a thing stands for "after its key, before its value".
    enum class Place : std::uint8_t {
        Outside,
        Top,
        TensorsStart,
        Tensors,
        TensorStart,
        Fields,
        DType,
        DTypeVariant,
        DTypePayload,
        Shape,
        Sizes,
        Offsets,
        OffsetPair,
        ParamId,
        MetadataStart,
        Metadata,
        MetadataValue,
        ScalarsStart,
        Scalars,
        ScalarStart,
        ScalarType,
        ScalarValue,
        Unknown,  // the value of a key that is not known
        Skipped,  // inside such a value
    };

    TensorDescription& tensor() { return directory_.tensors.back(); }
    Place tensors_place() const { return format_ == Format::Safetensors ? Place::Top : Place::Tensors; }

    bool refuse(std::string why) {
        fault = std::move(why);
        return false;
    }

    /// What the walk is in the middle of, for messages.
    std::string entry() const {
        if (place_ >= Place::MetadataStart && place_ <= Place::MetadataValue) {
            return format_ == Format::Safetensors ? "\"__metadata__\"" : "\"metadata\"";
        }
        if (place_ >= Place::ScalarsStart && place_ <= Place::ScalarValue) return "\"scalars\"";
        const bool in_tensor = place_ >= Place::TensorStart && place_ <= Place::ParamId;
        if (in_tensor) return "tensor " + quote(directory_.tensors.back().name);
        return format_ == Format::Safetensors ? "the header" : "the metadata";
    }

    bool unexpected(const char* what) {
        switch (place_) {
            case Place::Outside: return refuse(entry() + " is " + what + "; expected an object");
            case Place::MetadataValue:
                return refuse("key " + quote(key_) + " of " + entry() + " is " + what + "; expected a string");
            case Place::ScalarStart:
            case Place::ScalarValue:
                return refuse("scalar " + quote(key_) + " is " + what + "; expected an Int, UInt, Float or Bool");
            case Place::DType:
            case Place::Shape:
            case Place::Offsets:
            case Place::ParamId: return refuse("field " + quote(field_) + " of " + entry() + " cannot be " + what);
            default: return refuse(entry() + " has " + what + " where it cannot");
        }
    }

    /// A value without parts: fine where anything is.
    bool skip(const char* what) {
        if (place_ == Place::Skipped) return true;
        if (place_ == Place::DTypePayload) {
            place_ = Place::DTypeVariant;
            return true;
        }
        if (place_ != Place::Unknown) return unexpected(what);
        place_ = after_unknown_;
        return true;
    }

    /// Fields that a format may gain one day are passed over, whatever they hold.
    bool skip_deeper() {
        constexpr std::size_t kDeepest = 16;
        if (depth_ == kDeepest) return refuse(entry() + " is nested too deeply");
        if (depth_ == 0) after_skipped_ = place_ == Place::Unknown ? after_unknown_ : Place::DTypeVariant;
        ++depth_;
        place_ = Place::Skipped;
        return true;
    }
    bool leave_skipped() {
        if (--depth_ == 0) place_ = after_skipped_;
        return true;
    }

    bool other_number(const std::string& what) {
        if (place_ == Place::Sizes || place_ == Place::OffsetPair || place_ == Place::ParamId) {
            return refuse(entry() + " has " + what + " in its " + field_ + "; expected an integer from 0 to 2^64 - 1");
        }
        return skip("a number");
    }

    bool start_keys() {
        keys_.clear();
        return true;
    }

    bool start_section(const std::string& key) {
        if (!sections_.insert(key).second) return refuse("key " + quote(key) + " of the metadata occurs twice");
        after_unknown_ = Place::Top;
        place_ = key == "tensors"    ? Place::TensorsStart
                 : key == "metadata" ? Place::MetadataStart
                 : key == "scalars"  ? Place::ScalarsStart
                                     : Place::Unknown;
        return true;
    }

    bool start_tensor(const std::string& key) {
        if (!names_.insert(key).second) return refuse("the name " + quote(key) + " occurs twice");
        if (format_ == Format::Safetensors && key == "__metadata__") {
            place_ = Place::MetadataStart;
            return true;
        }
        directory_.tensors.emplace_back().name = key;
        fields_ = 0;
        place_ = Place::TensorStart;
        return true;
    }

    bool start_field(const std::string& key) {
        after_unknown_ = Place::Fields;
        field_ = key;
        place_ = key == "dtype"                                     ? Place::DType
                 : key == "shape"                                   ? Place::Shape
                 : key == "data_offsets"                            ? Place::Offsets
                 : key == "param_id" && format_ == Format::Burnpack ? Place::ParamId
                                                                    : Place::Unknown;
        if (place_ == Place::Unknown) return true;
        const unsigned bit = 1u << static_cast<unsigned>(place_);
        if ((fields_ & bit) != 0) return refuse("key " + quote(key) + " of " + entry() + " occurs twice");
        fields_ |= bit;
        return true;
    }

    bool is_complete() {
        const std::string name = "tensor " + quote(tensor().name);
        if ((fields_ & (1u << static_cast<unsigned>(Place::DType))) == 0) return refuse(name + " has no dtype");
        if ((fields_ & (1u << static_cast<unsigned>(Place::Shape))) == 0) return refuse(name + " has no shape");
        if (tensor().offsets.size() != 2) {
            return refuse(name + " has " + std::to_string(tensor().offsets.size()) +
                          " data_offsets; expected [begin, end]");
        }
        return true;
    }

    bool integer_scalar(bool fits_signed, std::int64_t as_signed, std::uint64_t as_unsigned, bool negative = false) {
        if (type_ == "Int" && fits_signed) return add_scalar(as_signed);
        if (type_ == "UInt" && !negative) return add_scalar(as_unsigned);
        if (type_ == "Float")
            return add_scalar(negative ? static_cast<double>(as_signed) : static_cast<double>(as_unsigned));
        return refuse("scalar " + quote(key_) + " does not fit its type " + quote(type_));
    }

    bool add_scalar(StoredScalar value) {
        if (!directory_.scalars.emplace(key_, value).second) return refuse("scalar " + quote(key_) + " has two values");
        place_ = Place::ScalarType;
        return true;
    }

    Format format_;
    TensorDirectory& directory_;
    Place place_ = Place::Outside;
    Place after_unknown_ = Place::Top;
    Place after_skipped_ = Place::Top;
    std::size_t depth_ = 0;  // inside a value that is skipped
    unsigned fields_ = 0;    // those the tensor has had, a bit a place
    std::string field_;      // the last key of a tensor
    std::string key_;        // the last key of the metadata or the scalars
    std::string type_;       // the last type of a scalar
    std::unordered_set<std::string> names_;
    std::unordered_set<std::string> sections_;
    std::unordered_set<std::string> keys_;
};

}  // namespace

std::string read_safetensors_header(const std::string& json, TensorDirectory& directory) {
    // The parser would take a zero for the end of its input.
    if (json.find('\0') != std::string::npos) return "the header contains a zero byte";
    DirectoryHandler handler(Format::Safetensors, directory);
    nlohmann::json::sax_parse(json.begin(), json.end(), &handler);
    return handler.fault;
}

std::string read_burnpack_metadata(const std::string& cbor, TensorDirectory& directory) {
    DirectoryHandler handler(Format::Burnpack, directory);
    nlohmann::json::sax_parse(cbor.begin(), cbor.end(), &handler, nlohmann::json::input_format_t::cbor);
    if (!handler.fault.empty()) return handler.fault;
    // JSON parsers look at the characters of texts, those of CBOR do not.
    for (const TensorDescription& tensor : directory.tensors) {
        if (!is_utf8(tensor.name)) return "the name " + quote(tensor.name) + " is not UTF-8";
    }
    for (const auto& [key, value] : directory.metadata) {
        if (!is_utf8(key) || !is_utf8(value)) return "the metadata " + quote(key) + " is not UTF-8";
    }
    for (const auto& [name, scalar] : directory.scalars) {
        if (!is_utf8(name)) return "the name " + quote(name) + " is not UTF-8";
    }
    return "";
}

}  // namespace burn::store
