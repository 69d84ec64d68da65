#pragma once

#include <burn/base/held.h>
#include <burn/base/ref.h>

#include <optional>
#include <utility>

namespace burn {

/// A value that a device may still be computing.
///
/// Thread    one owner waits; the device may deliver from another thread
template <class T>
class Pending {
public:
    /// What a device overrides to deliver later.
    class Source : public Counted {
    public:
        virtual bool ready() const = 0;
        /// Blocks until the value is there.
        ///
        /// Errors    the first cause of what failed on the device
        virtual T wait() = 0;
    };

    /// A value that is there already.
    Pending(T value) : value_(std::move(value)) {}  // NOLINT: a value is a finished Pending
    explicit Pending(Ref<Source> source) : source_(std::move(source)) {}

    bool ready() const { return value_.has_value() || held(source_, "Pending").ready(); }
    /// Gives the value, waiting if need be.
    T wait() && { return value_.has_value() ? std::move(*value_) : held(source_, "Pending").wait(); }
    /// Calls `callback(T)` when the value is there: at once if it is, else after waiting for it.
    template <class Callback>
    void then(Callback&& callback) && {
        callback(std::move(*this).wait());
    }

private:
    std::optional<T> value_;
    Ref<Source> source_;
};

}  // namespace burn
