#include <burn/module/any_param.h>

#include <burn/base/atomic.h>
#include <burn/decorators/autodiff/autodiff.h>

namespace burn {

using detail::ParamSource;

namespace {

Atomic<ParamId> next_id{1};

/// Ids from here on are left to other programs, which may have drawn them at random.
constexpr ParamId kOwnIds = ParamId{1} << 48;

}  // namespace

ParamId new_param_id() { return next_id.fetch_add(1, kRelaxed); }

void reserve_param_id(ParamId id) {
    if (id >= kOwnIds) return;
    ParamId next = next_id.load(kRelaxed);
    while (next <= id && !next_id.compare_exchange_weak(next, id + 1, kRelaxed)) {
    }
}

AnyParam::AnyParam(ops::Handle value, bool tracks)
    : id_(new_param_id()), source_(make_ref<ParamSource>(std::move(value), tracks)), tracks_(tracks) {}
AnyParam::AnyParam(Ref<ParamInitializer> initializer, bool tracks)
    : id_(new_param_id()), source_(make_ref<ParamSource>(std::move(initializer), tracks)), tracks_(tracks) {}
AnyParam::AnyParam(ParamId id, ops::Handle value, bool tracks, bool requires_grad)
    : id_(id), source_(make_ref<ParamSource>(std::move(value), tracks)), tracks_(tracks),
      requires_grad_(requires_grad) {}

const detail::ParamSource& AnyParam::source() const {
    if (!source_) raise(ErrorKind::Argument, Message() << "Param: used before it was given a value");
    return *source_;
}

const TensorSpec& AnyParam::spec() const { return source().spec(); }

ops::Engine& AnyParam::engine() const { return source().engine(); }

const void* AnyParam::identity() const { return source_.get(); }

bool AnyParam::unique() const { return source_ && source_->unique(); }

bool AnyParam::is_initialized() const { return source_ && source_->ready(); }

ops::Handle AnyParam::value() const {
    const ops::Handle& value = source().value();
    return tracks_ && !requires_grad_ ? autodiff::detach(value) : value;
}

const ops::Handle& AnyParam::leaf() const { return source().value(); }

ops::Handle AnyParam::take() {
    source();
    const Ref<ParamSource> source = std::move(source_);
    source_ = nullptr;
    ops::Handle value = source->unique() ? source->take() : source->value();
    return tracks_ ? autodiff::inner(std::move(value)) : value;
}

void AnyParam::set(ops::Handle value) {
    source_ = make_ref<ParamSource>(tracks_ ? autodiff::from_inner(std::move(value)) : std::move(value), tracks_);
}

AnyParam AnyParam::to_inner(bool tracks) const {
    return {id_, autodiff::inner(source().value()), tracks, requires_grad_};
}

AnyParam AnyParam::from_inner() const {
    // The outer backend tracks whatever the inner one does: only the kind counts.
    return {id_, autodiff::from_inner(source().value()), is_float(spec().dtype), requires_grad_};
}

}  // namespace burn
