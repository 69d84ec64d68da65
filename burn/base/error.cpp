#include <burn/base/error.h>

#if BURN_EXCEPTIONS
#include <atomic>
#include <cstdlib>
#include <cstring>
#endif

namespace burn {

const char* error_name(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::Shape: return "ShapeError";
        case ErrorKind::DType: return "DTypeError";
        case ErrorKind::Index: return "IndexError";
        case ErrorKind::Argument: return "ArgumentError";
        case ErrorKind::Gradient: return "GradientError";
        case ErrorKind::Device: return "DeviceError";
        case ErrorKind::Unsupported: return "UnsupportedError";
        case ErrorKind::OutOfMemory: return "OutOfMemoryError";
        case ErrorKind::Io: return "IoError";
        case ErrorKind::Parse: return "ParseError";
        case ErrorKind::Record: return "RecordError";
        case ErrorKind::Protocol: return "ProtocolError";
        case ErrorKind::Internal: return "InternalError";
    }
    return "Error";
}

#if BURN_EXCEPTIONS

struct Error::Text {
    std::atomic<std::uint32_t> owners{1};
    char characters[Message::kCapacity];
};

Error::Error(ErrorKind kind, const char* message) : kind_(kind), text_(static_cast<Text*>(std::malloc(sizeof(Text)))) {
    if (text_ == nullptr) return;  // what() then names the kind alone
    new (text_) Text;
    std::strncpy(text_->characters, message, Message::kCapacity - 1);
    text_->characters[Message::kCapacity - 1] = '\0';
}

Error::Error(const Error& other) noexcept : std::exception(other), kind_(other.kind_), text_(other.text_) {
    if (text_ != nullptr) text_->owners.fetch_add(1, std::memory_order_relaxed);
}

Error& Error::operator=(const Error& other) noexcept {
    if (this != &other) {
        this->~Error();
        new (this) Error(other);
    }
    return *this;
}

Error::~Error() {
    if (text_ != nullptr && text_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) std::free(text_);
}

const char* Error::what() const noexcept { return text_ != nullptr ? text_->characters : error_name(kind_); }

void raise(ErrorKind kind, const Message& message) {
    switch (kind) {
        case ErrorKind::Shape: throw ShapeError(message.text());
        case ErrorKind::DType: throw DTypeError(message.text());
        case ErrorKind::Index: throw IndexError(message.text());
        case ErrorKind::Argument: throw ArgumentError(message.text());
        case ErrorKind::Gradient: throw GradientError(message.text());
        case ErrorKind::Device: throw DeviceError(message.text());
        case ErrorKind::Unsupported: throw UnsupportedError(message.text());
        case ErrorKind::OutOfMemory: throw OutOfMemoryError(message.text());
        case ErrorKind::Io: throw IoError(message.text());
        case ErrorKind::Parse: throw ParseError(message.text());
        case ErrorKind::Record: throw RecordError(message.text());
        case ErrorKind::Protocol: throw ProtocolError(message.text());
        case ErrorKind::Internal: break;
    }
    throw InternalError(message.text());
}

#else

namespace {
ErrorHandler handler = nullptr;
}

void set_error_handler(ErrorHandler new_handler) { handler = new_handler; }

void raise(ErrorKind kind, const Message& message) {
    if (handler != nullptr) handler(kind, message.text());
    __builtin_trap();
}

#endif

}  // namespace burn
