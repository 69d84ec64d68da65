// Trains the network of model.h on Fashion-MNIST, saves it, and evaluates it in a fresh process.
#include "backends.h"
#include "options.h"
#include "training.h"

#include <burn/base/error.h>
#include <burn/base/parallel.h>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

namespace {

constexpr int kFailed = 1;
constexpr int kWrongUse = 2;
constexpr int kInterrupted = 130;  // what shells say of programs ended by Ctrl-C

/// Runs this program again to evaluate what was saved; nothing of the training's memory can help it.
int evaluate_in_fresh_process(const guide::Options& options) {
    std::vector<std::string> words = {
        "guide",      "infer",       "--backend",       options.backend, "--data",
        options.data, "--artifacts", options.artifacts, "--workers",     std::to_string(options.workers)};
    if (options.threads) words.insert(words.end(), {"--threads", std::to_string(*options.threads)});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int error = ::posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, arguments.data(), environ);
    if (error != 0) {
        burn::raise(burn::ErrorKind::Io, burn::Message() << "cannot start a fresh process: " << std::strerror(error));
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : kFailed;
}

int run(const guide::Options& options) {
    switch (options.command) {
        case guide::Command::Help: std::fputs(guide::kHelp, stdout); return 0;
        case guide::Command::Infer: guide::infer(options); return 0;
        case guide::Command::Train: break;
    }
    if (!guide::train(options)) return kInterrupted;
    return evaluate_in_fresh_process(options);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        guide::Options options = guide::parse_options({argv + 1, argv + argc});
        if (options.threads) burn::set_num_threads(*options.threads);
        if (options.command != guide::Command::Help) options.backend = guide::choose_backend(options.backend);
        return run(options);
    } catch (const burn::ArgumentError& error) {
        std::fprintf(stderr, "guide: %s\n", error.what());
        return kWrongUse;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "guide: error: %s\n", error.what());
        return kFailed;
    }
}
