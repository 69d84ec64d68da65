#pragma once

#include <burn/base/config.h>
#include <burn/base/message.h>

#include <cstdint>

#if BURN_EXCEPTIONS
#include <exception>
#endif

namespace burn {

/// What kind of mistake an error reports. One exception type per kind, named `<Kind>Error`.
enum class ErrorKind : std::uint8_t {
    Shape,        ///< operand shapes, ranks or sizes do not fit the operation
    DType,        ///< operand types do not fit, or mix
    Index,        ///< an axis, an index or a range is outside what exists
    Argument,     ///< another argument has a value the operation cannot take
    Gradient,     ///< backward on what has no graph, or whose graph was consumed
    Device,       ///< devices differ, or a device cannot be used
    Unsupported,  ///< a backend lacks a primitive, a dtype or a feature
    OutOfMemory,
    Io,        ///< the file system refused
    Parse,     ///< bytes are not what their format demands
    Record,    ///< a stored record does not fit the module it is loaded into
    Protocol,  ///< a peer broke the wire protocol
    Internal,  ///< our fault; please report
};

/// "ShapeError", "DTypeError", ...
const char* error_name(ErrorKind kind);

/// The one funnel through which every error of this library goes.
///
/// Where exceptions exist it throws the type that belongs to `kind`; elsewhere it calls the error handler, which must not return.
///
/// Errors    always
[[noreturn]] void raise(ErrorKind kind, const Message& message);

/// Checks an invariant of our own; `what` says which. Raises InternalError.
inline void require_internal(bool holds, const char* what) {
    if (!holds) [[unlikely]]
        raise(ErrorKind::Internal, Message() << what << " (please report this)");
}

#if !BURN_EXCEPTIONS
/// Called by `raise` on builds without exceptions. The default one stops the program.
using ErrorHandler = void (*)(ErrorKind kind, const char* message);
void set_error_handler(ErrorHandler handler);
#else

/// Base of every error the library throws. Copying shares the text and cannot fail.
class Error : public std::exception {
public:
    Error(ErrorKind kind, const char* message);
    Error(const Error& other) noexcept;
    Error& operator=(const Error& other) noexcept;
    ~Error() override;

    ErrorKind kind() const noexcept { return kind_; }
    const char* what() const noexcept override;

private:
    struct Text;
    ErrorKind kind_;
    Text* text_;
};

#define BURN_ERROR_TYPE(NAME, KIND)                                             \
    class NAME : public Error {                                                 \
    public:                                                                     \
        explicit NAME(const char* message) : Error(ErrorKind::KIND, message) {} \
    };

BURN_ERROR_TYPE(ShapeError, Shape)
BURN_ERROR_TYPE(DTypeError, DType)
BURN_ERROR_TYPE(IndexError, Index)
BURN_ERROR_TYPE(ArgumentError, Argument)
BURN_ERROR_TYPE(GradientError, Gradient)
BURN_ERROR_TYPE(DeviceError, Device)
BURN_ERROR_TYPE(UnsupportedError, Unsupported)
BURN_ERROR_TYPE(OutOfMemoryError, OutOfMemory)
BURN_ERROR_TYPE(IoError, Io)
BURN_ERROR_TYPE(ParseError, Parse)
BURN_ERROR_TYPE(RecordError, Record)
BURN_ERROR_TYPE(ProtocolError, Protocol)
BURN_ERROR_TYPE(InternalError, Internal)

#undef BURN_ERROR_TYPE
#endif

}  // namespace burn
