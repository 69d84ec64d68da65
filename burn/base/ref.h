#pragma once

#include <burn/base/atomic.h>
#include <burn/base/small_object.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace burn {

/// Base of objects whose owners are counted inside the object itself.
///
/// Memory    that of small objects; derived classes ask for no more alignment than `operator new` gives
/// Thread    the count may change from any thread; the last owner destroys the object
class Counted {
public:
    Counted() = default;
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

    static void* operator new(std::size_t bytes) { return allocate_small(bytes); }
    static void operator delete(void* memory, std::size_t bytes) noexcept { free_small(memory, bytes); }

    void retain() const noexcept { owners_.fetch_add(1, kRelaxed); }
    void release() const noexcept {
        // Who owns it alone races with nobody: the dear atomic subtraction is for shared objects.
        if (unique() || owners_.fetch_sub(1, kAcquireRelease) == 1) delete this;
    }
    /// The same as `retain` by the first `owners`, before anybody else can see the object.
    void start_with(std::uint32_t owners) const noexcept { owners_.store(owners, kRelaxed); }

    /// True when exactly one Ref points here, so that its holder may change the object in place.
    bool unique() const noexcept { return owners_.load(kAcquire) == 1; }

protected:
    virtual ~Counted() = default;

private:
    mutable Atomic<std::uint32_t> owners_{0};
};

/// An owning pointer to a `Counted` object.
template <class T>
class Ref {
public:
    Ref() = default;
    Ref(std::nullptr_t) {}  // NOLINT: reads like a pointer
    explicit Ref(T* object) : object_(object) {
        if (object_ != nullptr) object_->retain();
    }
    Ref(const Ref& other) : Ref(other.object_) {}
    Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    template <class Derived>
        requires std::is_convertible_v<Derived*, T*>
    Ref(Ref<Derived> other) : object_(other.detach()) {}  // NOLINT: a derived object is a T
    Ref& operator=(Ref other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Ref() {
        if (object_ != nullptr) object_->release();
    }

    T* get() const { return object_; }
    T& operator*() const { return *object_; }
    T* operator->() const { return object_; }
    explicit operator bool() const { return object_ != nullptr; }
    bool operator==(const Ref& other) const { return object_ == other.object_; }

    /// Gives up the pointer without changing the count.
    T* detach() { return std::exchange(object_, nullptr); }
    /// Takes over what `detach` gave up, or one owner that the object started with.
    static Ref adopt(T* object) {
        Ref adopted;
        adopted.object_ = object;
        return adopted;
    }

private:
    T* object_ = nullptr;
};

template <class T, class... Args>
Ref<T> make_ref(Args&&... args) {
    T* object = new T(std::forward<Args>(args)...);
    object->start_with(1);
    return Ref<T>::adopt(object);
}

}  // namespace burn
