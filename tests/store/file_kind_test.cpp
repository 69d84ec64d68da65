#include <burn/store/file_kind.h>

#include <burn/store/safetensors.h>

#include "tests/support/bytes.h"

#include <gmock/gmock.h>

namespace burn::store::file_kind_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string text(const char* characters, std::size_t size) { return {characters, size}; }

/// The first bytes of a zip whose first entry has this name.
std::string zip_with(const std::string& name) {
    return "PK\x03\x04" + std::string(22, '\0') +
           bytes::little<std::uint16_t>(static_cast<std::uint16_t>(name.size())) + std::string(2, '\0') + name;
}

struct Case {
    const char* name;
    std::string start;
    FileKind kind;
};

std::vector<Case> cases() {
    return {
        {"empty", "", FileKind::Empty},
        {"burnpack", text("NRUB\x01\0\x05\0\0\0", 10), FileKind::Burnpack},
        {"safetensors", text("\x10\0\0\0\0\0\0\0{\"a\":", 13), FileKind::Safetensors},
        {"pytorch_zip", zip_with("archive/data.pkl"), FileKind::PyTorchZip},
        {"pytorch_legacy", text("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", 15),
         FileKind::PyTorchLegacy},
        {"pickle", text("\x80\x04\x95\x10\0\0\0\0\0\0\0", 11), FileKind::Pickle},
        {"zip", zip_with("readme.txt"), FileKind::Zip},
        {"empty_zip", text("PK\x05\x06", 4), FileKind::Zip},
        {"npz", zip_with("weight.npy"), FileKind::Npz},
        {"tar", std::string(257, 'x').append("ustar\0000", 8), FileKind::Tar},
        {"gzip", text("\x1f\x8b\x08\0", 4), FileKind::Gzip},
        {"zstd", text("\x28\xb5\x2f\xfd\0", 5), FileKind::Zstd},
        {"hdf5", text("\x89HDF\r\n\x1a\n\0\0", 10), FileKind::Hdf5},
        {"npy", text("\x93NUMPY\x01\0", 8), FileKind::Npy},
        {"gguf", text("GGUF\x03\0\0\0", 8), FileKind::Gguf},
        {"idx", text("\0\0\x08\x03\0\0\x27\x10", 8), FileKind::Idx},
        {"json", " {\"a\": 1}", FileKind::Json},
        {"html", "\n<!DOCTYPE html><html>", FileKind::Html},
        {"git_lfs", "version https://git-lfs.github.com/spec/v1\n", FileKind::GitLfsPointer},
        {"text", "hello world", FileKind::Unknown},
    };
}

TEST(FileKind, ToldByTheFirstBytes) {
    for (const Case& each : cases()) EXPECT_EQ(file_kind(bytes::of(each.start)), each.kind) << each.name;
}

// A loader given another format must not talk of a header that is too large.
TEST(FileKind, LoadersSayWhatTheyWereGivenAndWhatReadsIt) {
    for (const Case& each : cases()) {
        if (each.kind == FileKind::Safetensors || each.kind == FileKind::Unknown) continue;
        const std::string start = each.start;
        const std::string message =
            message_of(ErrorKind::Parse, [&] { open_safetensors(ByteSource::borrow(bytes::of(start), "model.bin")); });
        EXPECT_THAT(message, AllOf(HasSubstr("safetensors: \"model.bin\": "), HasSubstr(name_of(each.kind))))
            << each.name;
        const char* advice = advice_for(each.kind);
        EXPECT_THAT(message, HasSubstr(advice != nullptr ? advice : "")) << each.name;
    }
}

TEST(FileKind, APyTorchFileGivenToTheSafetensorsLoader) {
    const std::string message = message_of(
        ErrorKind::Parse, [&] { open_safetensors(ByteSource::borrow(bytes::of("\x80\x02}q\x01."), "old.pt")); });
    EXPECT_EQ(
        message,
        "safetensors: \"old.pt\": the bytes look like a Python pickle (perhaps of PyTorch), not like safetensors; no "
        "PyTorch loader is built in; in Python, safetensors.torch.save_file(torch.load(path), new_path) makes a "
        "safetensors file of a state dict");
}

}  // namespace
}  // namespace burn::store::file_kind_test
