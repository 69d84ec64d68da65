#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace burn::store {

/// A JSON value. Objects keep the order of their members; integers keep all their bits.
class Json {
public:
    struct Member;
    struct Null {
        bool operator==(const Null&) const = default;
    };
    using List = std::vector<Json>;
    using Object = std::vector<Member>;

    Json();
    Json(bool value);           // NOLINT: values are JSON values
    Json(std::int64_t value);   // NOLINT
    Json(std::uint64_t value);  // NOLINT
    Json(double value);         // NOLINT
    Json(std::string value);    // NOLINT
    Json(const char* value);    // NOLINT
    Json(List value);           // NOLINT
    Json(Object value);         // NOLINT
    Json(const Json&);
    Json(Json&&) noexcept;
    Json& operator=(const Json&);
    Json& operator=(Json&&) noexcept;
    ~Json();

    /// A pointer to the value when it is of type T, else null. Integers are std::int64_t unless only std::uint64_t holds them.
    template <class T>
    const T* as() const {
        return std::get_if<T>(&value_);
    }
    template <class T>
    T* as() {
        return std::get_if<T>(&value_);
    }
    /// The member of an object; null when there is none, or this is no object.
    const Json* find(std::string_view key) const;

    /// "an object", "the text "abc"", "the number 3": for messages.
    std::string description() const;
    /// The JSON text; members on lines of their own, `indent` spaces deeper each level. Lists without objects in them stay
    /// on one line. What JSON lacks is written as text: "inf", "-inf", "nan".
    ///
    /// Errors    ArgumentError for text that is not UTF-8
    std::string text(int indent = 2) const;

    bool operator==(const Json& other) const;

private:
    void write(std::string& out, int indent, int depth) const;

    std::variant<Null, bool, std::int64_t, std::uint64_t, double, std::string, List, Object> value_;
};

struct Json::Member {
    std::string key;
    Json value;

    bool operator==(const Member&) const = default;
};

/// Reads one JSON value that takes the whole text; `name` is what errors call it.
///
/// Memory    in proportion to the text, of at most 16 MiB
/// Errors    ParseError naming line and column, or the key that occurs twice
/// Source    RFC 8259
Json parse_json(std::string_view text, const std::string& name = "<text>");

/// Errors    IoError; ParseError
Json read_json(const std::string& path);

/// Writes the text to a file, whole or not at all.
///
/// Errors    IoError; ArgumentError for text that is not UTF-8
void write_json(const std::string& path, const Json& value);

}  // namespace burn::store
