#include "options.h"

#include <burn/base/error.h>
#include <burn/data/mnist.h>

#include <charconv>
#include <limits>

namespace guide {

using burn::ErrorKind;
using burn::Message;

const char* const kHelp =
    "Trains a convolutional network on Fashion-MNIST, then evaluates it in a fresh process.\n"
    "\n"
    "usage: guide [OPTIONS]         train, save, evaluate\n"
    "       guide infer [OPTIONS]   evaluate what an earlier training saved\n"
    "\n"
    "  --backend NAME     where tensors live: cpu (kernels compiled as needed),\n"
    "                     ndarray (portable), auto (cpu if it can be)               [auto]\n"
    "  --epochs N         passes over the training images                          [5]\n"
    "  --seed N           the same seed gives the same weights, bit for bit        [42]\n"
    "  --data DIR         the four files of the data set      [/usr/share/datasets/fashion-mnist]\n"
    "  --artifacts DIR    where model, optimiser, config and checkpoints go        [artifacts/guide]\n"
    "  --resume           go on from the last checkpoint in the artifacts\n"
    "  --workers N        threads that prepare batches; 0: none                    [1]\n"
    "  --threads N        threads that compute                                     [all cores]\n"
    "  --help             this text\n";

namespace {

template <class T>
T number(const std::string& option, const std::string& text, T least, T most) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
        burn::raise(ErrorKind::Argument, Message() << option.c_str() << ' ' << text.c_str()
                                                   << ": expected a whole number from " << least << " to " << most);
    }
    return value;
}

}  // namespace

Options parse_options(const std::vector<std::string>& arguments) {
    Options options;
    options.data = burn::data::MnistDataset::kFashionFolder;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& option = arguments[i];
        const auto value = [&]() -> const std::string& {
            if (i + 1 == arguments.size() || arguments[i + 1].empty()) {
                burn::raise(ErrorKind::Argument, Message() << option.c_str() << ": expected a value behind it");
            }
            return arguments[++i];
        };
        if (option == "infer" && i == 0) {
            options.command = Command::Infer;
        } else if (option == "--help" || option == "-h") {
            options.command = Command::Help;
            return options;
        } else if (option == "--backend") {
            options.backend = value();
        } else if (option == "--epochs") {
            options.epochs = number<std::size_t>(option, value(), 1, 1'000'000);
        } else if (option == "--seed") {
            options.seed = number<std::uint64_t>(option, value(), 0, std::numeric_limits<std::int64_t>::max());
        } else if (option == "--data") {
            options.data = value();
        } else if (option == "--artifacts") {
            options.artifacts = value();
        } else if (option == "--resume") {
            options.resume = true;
        } else if (option == "--workers") {
            options.workers = number<std::size_t>(option, value(), 0, 256);
        } else if (option == "--threads") {
            options.threads = number(option, value(), 1, 1024);
        } else {
            burn::raise(ErrorKind::Argument, Message() << "unknown option " << option.c_str() << "; --help lists them");
        }
    }
    return options;
}

}  // namespace guide
