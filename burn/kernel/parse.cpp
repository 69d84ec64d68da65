#include <burn/base/error.h>
#include <burn/kernel/element.h>
#include <burn/kernel/text.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

namespace burn::kernel {

namespace {

constexpr std::size_t kMaxText = std::size_t{16} << 20;
constexpr std::size_t kMaxNodes = std::size_t{1} << 20;

constexpr bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
constexpr bool is_number(char c) { return is_word(c) || c == '.' || c == '-' || c == '+'; }

/// All of `text` as a number, if it is one.
template <class T, class... Base>
std::optional<T> whole_number(std::string_view text, Base... base) {
    T value{};
    const char *begin = text.data(), *end = begin + text.size();
    const auto [stop, error] = std::from_chars(begin, end, value, base...);
    return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

/// Reads text piece by piece and knows the line it is on; an end of line is a piece.
class Scanner {
public:
    explicit Scanner(std::string_view text) : text_(text) {}

    [[noreturn]] void fail(const Message& expected) {
        skip_blanks();
        Message message;
        message << "kernel text: line " << line_ << ": expected " << expected.text() << ", found ";
        if (text_.empty()) {
            message << "the end of the text";
        } else if (text_.front() == '\n') {
            message << "the end of the line";
        } else {
            std::size_t size = 1;
            while (size < text_.size() && size < 40 && is_number(text_[size]) && is_number(text_[0])) ++size;
            message << '\'';
            for (const char c : text_.substr(0, size)) message << c;
            message << '\'';
        }
        raise(ErrorKind::Parse, message);
    }

    /// A fault that is not about the next piece of text.
    [[noreturn]] void fail_here(const Message& what) const {
        raise(ErrorKind::Parse, Message() << "kernel text: line " << line_ << ": " << what.text());
    }

    bool at_end() {
        skip_blanks();
        return text_.empty();
    }

    bool next_is(char c) {
        skip_blanks();
        return !text_.empty() && text_.front() == c;
    }

    bool take(char c) {
        if (!next_is(c)) return false;
        text_.remove_prefix(1);
        if (c == '\n') ++line_;
        return true;
    }

    void expect(char c) {
        const char name[] = {'\'', c, '\'', 0};
        if (!take(c)) fail(Message() << (c == '\n' ? "the end of the line" : name));
    }

    void skip_lines() {
        while (take('\n')) {
        }
    }

    /// Letters, digits and _, perhaps none.
    std::string_view word() { return run(is_word); }
    /// What may be part of a number, perhaps nothing.
    std::string_view number() { return run(is_number); }

    void expect_word(std::string_view word) {
        const Scanner before = *this;
        if (this->word() != word) {
            *this = before;
            Message expected;
            expected << '\'';
            for (const char c : word) expected << c;
            fail(expected << '\'');
        }
    }

    template <class T>
    T integer(const char* expected) {
        const Scanner before = *this;
        const auto value = whole_number<T>(word());
        if (!value) {
            *this = before;
            fail(Message() << expected);
        }
        return *value;
    }

    /// A name in quotes, whose first has been taken.
    std::string quoted() {
        std::string name;
        while (!text_.empty() && text_.front() != '\n') {
            const char c = text_.front();
            text_.remove_prefix(1);
            if (c == '"') return name;
            name += c == '\\' ? escaped() : c;
        }
        fail(Message() << "'\"'");
    }

private:
    template <class Predicate>
    std::string_view run(Predicate belongs) {
        skip_blanks();
        std::size_t size = 0;
        while (size < text_.size() && belongs(text_[size])) ++size;
        const std::string_view piece = text_.substr(0, size);
        text_.remove_prefix(size);
        return piece;
    }

    char escaped() {
        if (!text_.empty() && (text_.front() == '"' || text_.front() == '\\')) {
            const char c = text_.front();
            text_.remove_prefix(1);
            return c;
        }
        unsigned char byte = 0;
        if (text_.size() < 3 || text_.front() != 'x' ||
            std::from_chars(text_.data() + 1, text_.data() + 3, byte, 16).ptr != text_.data() + 3)
            fail(Message() << "\\\", \\\\ or \\x and two hexadecimal digits");
        text_.remove_prefix(3);
        return static_cast<char>(byte);
    }

    void skip_blanks() {
        while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\t' || text_.front() == '\r'))
            text_.remove_prefix(1);
        if (text_.starts_with("//")) text_.remove_prefix(std::min(text_.find('\n'), text_.size()));
    }

    std::string_view text_;
    int line_ = 1;
};

std::optional<NodeKind> kind_named(std::string_view name) {
    for (std::size_t i = 0; i < kNodeKinds; ++i) {
        const auto kind = static_cast<NodeKind>(i);
        if (name == info_of(kind).text) return kind;
    }
    return std::nullopt;
}

class Parser {
public:
    explicit Parser(std::string_view text) : in_(text) {}

    Kernel run() {
        in_.skip_lines();
        in_.expect_word("kernel");
        kernel_.name = name();
        in_.expect('(');
        in_.expect_word("units");
        kernel_.units = in_.integer<std::uint32_t>("a number of units");
        in_.expect(',');
        in_.expect_word("plane");
        kernel_.plane = in_.integer<std::uint32_t>("a number of units");
        in_.expect(')');
        in_.expect('{');
        block(0, 0);
        in_.skip_lines();
        if (!in_.at_end()) in_.fail(Message() << "nothing more");
        verify(kernel_);
        return std::move(kernel_);
    }

private:
    std::string name() {
        if (in_.take('"')) return in_.quoted();
        const std::string_view name = in_.word();
        if (name.empty()) in_.fail(Message() << "the kernel's name");
        return std::string(name);
    }

    /// The lines of a block up to its '}'; the '{' has been taken.
    void block(BlockId id, int depth) {
        if (depth > kMaxDepth) in_.fail_here(Message() << "blocks nest deeper than " << kMaxDepth);
        in_.expect('\n');
        in_.skip_lines();
        while (!in_.take('}')) {
            node(id, depth);
            in_.skip_lines();
        }
        // What may follow on the line of the '}' is for the block's owner to say.
    }

    void node(BlockId block_id, int depth) {
        if (kernel_.nodes.size() == kMaxNodes) in_.fail_here(Message() << "more than " << kMaxNodes << " nodes");
        Node node;
        std::optional<std::uint32_t> label;
        if (in_.take('%')) {
            label = in_.integer<std::uint32_t>("a node's number");
            if (ids_.contains(*label)) in_.fail_here(Message() << '%' << *label << " is defined twice");
            in_.expect(':');
            node.type = type();
            in_.expect('=');
        }
        node.kind = kind();
        const NodeInfo& info = info_of(node.kind);
        operands(node, info);
        immediate(node, info);

        const Type type = infer_type(kernel_, node);
        if (label && type != node.type)
            in_.fail_here(Message() << '%' << *label << " is " << node.type << ", but its " << info.text << " is "
                                    << type);
        if (!label && type.is_value()) in_.fail_here(Message() << info.text << " needs a %number: " << type << " =");
        const auto id = static_cast<NodeId>(kernel_.nodes.size());
        kernel_.nodes.push_back(node);
        const bool is_parameter = info.node_class == NodeClass::Parameter;
        (is_parameter ? kernel_.parameters : kernel_.blocks[block_id]).push_back(id);
        if (is_parameter && (block_id != 0 || !kernel_.blocks[0].empty()))
            in_.fail_here(Message() << info.text << ": parameters come before all else");
        if (label) ids_.emplace(*label, id);
        blocks(id, depth);
        in_.expect('\n');
    }

    Type type() {
        const Scanner before = in_;
        const std::string_view word = in_.word();
        const std::size_t x = word.find('x');
        const std::string_view name = word.substr(0, x);
        for (int i = 0; i < kDTypeCount; ++i) {
            const auto dtype = static_cast<DType>(i);
            if (name != name_of(dtype)) continue;
            if (x == std::string_view::npos) return {dtype, 1};
            const auto lanes = whole_number<std::uint16_t>(word.substr(x + 1));
            if (lanes && *lanes > 1 && *lanes <= kMaxLanes) return {dtype, *lanes};
        }
        in_ = before;
        in_.fail(Message() << "a type such as f32 or f32x8, of at most " << kMaxLanes << " lanes");
    }

    NodeKind kind() {
        const Scanner before = in_;
        const auto kind = kind_named(in_.word());
        if (!kind) {
            in_ = before;
            in_.fail(Message() << "the name of a node");
        }
        return *kind;
    }

    void operands(Node& node, const NodeInfo& info) {
        const int most = info.operands + (info.optional ? 1 : 0);
        for (int i = 0; i < most; ++i) {
            if (i >= info.operands && !in_.next_is(',')) break;
            if (i > 0) in_.expect(',');
            in_.expect('%');
            const auto label = in_.integer<std::uint32_t>("a node's number");
            const auto found = ids_.find(label);
            if (found == ids_.end()) in_.fail_here(Message() << '%' << label << " is not defined before its use");
            node.operands[node.operand_count++] = found->second;
        }
        if (node.operand_count > 0 && info.immediate != Immediate::None) in_.expect(',');
    }

    void immediate(Node& node, const NodeInfo& info) {
        switch (info.immediate) {
            case Immediate::None: return;
            case Immediate::Bits: node.immediate = element(node.type.dtype); return;
            case Immediate::Access: node.immediate = one_of<Access>({1, 2, 3}); return;
            case Immediate::Reduction: node.immediate = one_of<Reduction>({0, 1, 2, 3, 4, 5}); return;
            case Immediate::Count: node.immediate = in_.integer<std::uint64_t>("a number of elements"); return;
            case Immediate::Lane: node.immediate = in_.integer<std::uint64_t>("a lane's number"); return;
        }
    }

    /// The value of the enumeration whose name comes next.
    template <class Enum>
    std::uint64_t one_of(std::initializer_list<std::uint64_t> values) {
        const Scanner before = in_;
        const std::string_view word = in_.word();
        Message expected;
        for (const std::uint64_t value : values) {
            const char* name = name_of(static_cast<Enum>(value));
            if (word == name) return value;
            expected << (value == *values.begin() ? "" : ", ") << name;
        }
        in_ = before;
        in_.fail(expected);
    }

    std::uint64_t element(DType dtype) {
        const Scanner before = in_;
        const std::string_view text = in_.number();
        const auto bits = text.starts_with("0x") ? hexadecimal(dtype, text.substr(2)) : decimal(dtype, text);
        if (!bits) {
            in_ = before;
            in_.fail(Message() << "a number of type " << dtype << " or its bits as 0x and hexadecimal digits");
        }
        return *bits;
    }

    static std::optional<std::uint64_t> hexadecimal(DType dtype, std::string_view digits) {
        const auto bits = whole_number<std::uint64_t>(digits, 16);
        if (!bits || (size_of(dtype) < 8 && *bits >> 8 * size_of(dtype) != 0)) return std::nullopt;
        return canonical_bits(dtype, *bits);
    }

    static std::optional<std::uint64_t> decimal(DType dtype, std::string_view text) {
        return visit_dtype(dtype, [text](auto zero) -> std::optional<std::uint64_t> {
            using T = decltype(zero);
            using Wide = std::conditional_t<std::is_same_v<T, f16> || std::is_same_v<T, bf16>, float, T>;
            if constexpr (std::is_same_v<T, bool>) {
                if (text == "true") return 1;
                if (text == "false") return 0;
            } else {
                const auto value = whole_number<Wide>(text);
                if (!value) return std::nullopt;
                const T element(*value);
                const bool too_large = Wide(element) - Wide(element) != 0 && *value - *value == 0;
                if (*value == *value && !too_large) return bits_of(element);
            }
            return std::nullopt;
        });
    }

    void blocks(NodeId id, int depth) {
        const BlockInfo expected = blocks_of(kernel_[id].kind);
        for (int i = 0; i < expected.most; ++i) {
            if (i >= expected.least && in_.next_is('\n')) return;
            if (i > 0) in_.expect_word(expected.second);
            in_.expect('{');
            const auto block_id = static_cast<BlockId>(kernel_.blocks.size());
            kernel_.blocks.emplace_back();
            kernel_.nodes[id].blocks[static_cast<std::size_t>(i)] = block_id;
            block(block_id, depth + 1);
        }
    }

    Scanner in_;
    Kernel kernel_;
    std::unordered_map<std::uint32_t, NodeId> ids_;
};

}  // namespace

Kernel parse(std::string_view text) {
    if (text.size() > kMaxText)
        raise(ErrorKind::Parse, Message() << "kernel text: " << text.size() << " bytes; at most " << kMaxText);
    return Parser(text).run();
}

}  // namespace burn::kernel
