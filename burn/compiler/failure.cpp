#include <burn/compiler/failure.h>

#include <burn/base/memory_error.h>

#include <algorithm>
#include <new>

namespace burn::compiler {

namespace {

/// Of a program that never synchronises and drops what fails, not all errors are kept.
constexpr std::size_t kMostUnseen = 16;

}  // namespace

void Failure::raise() {
    mark_seen();
    burn::raise(error_.kind(), Message() << error_.what());
}

FailureRef current_failure() {
    try {
        throw;
    } catch (const Error& error) {
        return std::make_shared<Failure>(error);
    } catch (const std::bad_alloc&) {
        return std::make_shared<Failure>(Error(ErrorKind::OutOfMemory, kNoMemoryLeft));
    } catch (const std::exception& error) {
        return std::make_shared<Failure>(Error(ErrorKind::Internal, error.what()));
    }
}

void UnseenFailures::add(const FailureRef& failure) {
    if (failure->seen() || std::find(failures_.begin(), failures_.end(), failure) != failures_.end()) return;
    std::erase_if(failures_, [](const FailureRef& known) { return known->seen(); });
    if (failures_.size() < kMostUnseen) failures_.push_back(failure);
}

void UnseenFailures::add(const UnseenFailures& later) {
    for (const FailureRef& failure : later.failures_) add(failure);
}

FailureRef UnseenFailures::take_first() {
    FailureRef first;
    for (const FailureRef& failure : failures_) {
        if (!first && !failure->seen()) first = failure;
        failure->mark_seen();
    }
    failures_.clear();
    return first;
}

}  // namespace burn::compiler
