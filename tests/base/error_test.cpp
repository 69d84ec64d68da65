#include <burn/base/error.h>

#include <gtest/gtest.h>

#include <string>

namespace burn::error_test {
namespace {

/// The kind is thrown as its own type, keeps its text, and can be caught as what all errors are.
template <class Type>
void expect_type(ErrorKind kind, const char* name) {
    EXPECT_STREQ(error_name(kind), name);
    try {
        raise(kind, Message() << "op: what is wrong");
        FAIL() << "nothing was thrown";
    } catch (const Type& error) {
        EXPECT_EQ(error.kind(), kind);
        EXPECT_STREQ(error.what(), "op: what is wrong");
    }
    EXPECT_THROW(raise(kind, Message()), Error);
    EXPECT_THROW(raise(kind, Message()), std::exception);
}

TEST(Error, EachKindIsATypeOfItsOwn) {
    expect_type<ShapeError>(ErrorKind::Shape, "ShapeError");
    expect_type<DTypeError>(ErrorKind::DType, "DTypeError");
    expect_type<IndexError>(ErrorKind::Index, "IndexError");
    expect_type<ArgumentError>(ErrorKind::Argument, "ArgumentError");
    expect_type<GradientError>(ErrorKind::Gradient, "GradientError");
    expect_type<DeviceError>(ErrorKind::Device, "DeviceError");
    expect_type<UnsupportedError>(ErrorKind::Unsupported, "UnsupportedError");
    expect_type<OutOfMemoryError>(ErrorKind::OutOfMemory, "OutOfMemoryError");
    expect_type<IoError>(ErrorKind::Io, "IoError");
    expect_type<ParseError>(ErrorKind::Parse, "ParseError");
    expect_type<RecordError>(ErrorKind::Record, "RecordError");
    expect_type<ProtocolError>(ErrorKind::Protocol, "ProtocolError");
    expect_type<InternalError>(ErrorKind::Internal, "InternalError");
}

TEST(Error, CopiesShareTheTextAndOutliveTheOriginal) {
    Error copy(ErrorKind::Io, "first");
    {
        const Error original(ErrorKind::Shape, "the text");
        copy = original;
        Error third(original);
        third = copy;
        EXPECT_EQ(third.what(), original.what());
    }
    EXPECT_STREQ(copy.what(), "the text");
    EXPECT_EQ(copy.kind(), ErrorKind::Shape);
    copy = *&copy;
    EXPECT_STREQ(copy.what(), "the text");
}

TEST(Error, KeepsMessagesOfFullLength) {
    Message message;
    for (int i = 0; i < 300; ++i) message << "abcde";
    try {
        raise(ErrorKind::Argument, message);
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()), message.text());
    }
}

TEST(RequireInternal, RaisesOnlyWhenTheInvariantFails) {
    EXPECT_NO_THROW(require_internal(true, "holds"));
    try {
        require_internal(false, "a count went below 0");
        FAIL();
    } catch (const InternalError& error) {
        EXPECT_STREQ(error.what(), "a count went below 0 (please report this)");
    }
}

}  // namespace
}  // namespace burn::error_test
