#include <burn/base/error.h>
#include <burn/store/quote.h>
#include <burn/train/text_output.h>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace burn::training {

namespace {

constexpr std::size_t kUsualWidth = 80;  // of terminals that do not say

void write_all(int descriptor, std::string_view text, const char* name) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) raise(ErrorKind::Io, Message() << "cannot write " << name << ": " << std::strerror(errno));
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace

void StandardOutput::write(std::string_view text) { write_all(STDOUT_FILENO, text, "to standard output"); }

std::size_t StandardOutput::width() const {
    if (::isatty(STDOUT_FILENO) == 0) return 0;
    const char* terminal = std::getenv("TERM");
    if (terminal == nullptr || std::strcmp(terminal, "dumb") == 0) return 0;
    winsize size = {};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsualWidth;
    return size.ws_col;
}

FileOutput::FileOutput(std::string path, Start start) : path_(store::quote_path(path)) {
    const int how = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (start == Start::Fresh ? O_TRUNC : 0);
    descriptor_ = ::open(path.c_str(), how, 0666);
    if (descriptor_ < 0)
        raise(ErrorKind::Io, Message() << "cannot write " << path_.c_str() << ": " << std::strerror(errno));
}

FileOutput::~FileOutput() { ::close(descriptor_); }

void FileOutput::write(std::string_view text) { write_all(descriptor_, text, path_.c_str()); }

}  // namespace burn::training
