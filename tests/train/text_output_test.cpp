#include <burn/base/error.h>
#include <burn/train/text_output.h>

#include <tests/support/scratch_folder.h>

#include <gmock/gmock.h>

namespace burn::training::text_output_test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

template <class Body>
std::string io_error(Body&& body) {
    try {
        body();
    } catch (const IoError& error) {
        return error.what();
    }
    return "no error";
}

TEST(FileOutput, AppendsOrBeginsAnew) {
    ScratchFolder folder;
    {
        FileOutput output(folder.path("log"), FileOutput::Start::Fresh);
        output.write("one\n");
        EXPECT_EQ(output.width(), 0u);
        EXPECT_EQ(folder.read("log"), "one\n");  // at once, so that a crash loses nothing
    }
    FileOutput(folder.path("log"), FileOutput::Start::Append).write("two\n");
    EXPECT_EQ(folder.read("log"), "one\ntwo\n");
    FileOutput(folder.path("log"), FileOutput::Start::Fresh).write("three\n");
    EXPECT_EQ(folder.read("log"), "three\n");
}

TEST(FileOutput, SaysWhatIsWrong) {
    EXPECT_THAT(io_error([] { FileOutput("/no/such/folder/log", FileOutput::Start::Fresh); }),
                testing::AllOf(HasSubstr("/no/such/folder/log"), EndsWith("No such file or directory")));
    EXPECT_EQ(io_error([] { FileOutput("/dev/full", FileOutput::Start::Append).write("x"); }),
              "cannot write \"/dev/full\": No space left on device");
}

}  // namespace
}  // namespace burn::training::text_output_test
