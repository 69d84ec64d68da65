#include <burn/optim/gradients_params.h>

#include <burn/ops/functions.h>

#include <algorithm>

namespace burn::optim {

GradientsParams::Entry* GradientsParams::place(ParamId id) {
    return std::lower_bound(entries_.begin(), entries_.end(), id,
                            [](const Entry& entry, ParamId wanted) { return entry.id < wanted; });
}

GradientsParams::Entry* GradientsParams::insert(Entry* place, Entry entry) {
    const std::ptrdiff_t index = place - entries_.begin();
    entries_.push_back(std::move(entry));
    std::rotate(entries_.begin() + index, entries_.end() - 1, entries_.end());
    return entries_.begin() + index;
}

ops::Handle GradientsParams::find(ParamId id) const {
    const Entry* entry = const_cast<GradientsParams*>(this)->place(id);
    return entry != entries_.end() && entry->id == id ? entry->gradient : ops::Handle();
}

ops::Handle GradientsParams::take(ParamId id) {
    Entry* entry = place(id);
    return entry != entries_.end() && entry->id == id ? std::move(entry->gradient) : ops::Handle();
}

void GradientsParams::put(ParamId id, ops::Handle gradient) {
    Entry* entry = place(id);
    if (entry == entries_.end() || entry->id != id) entry = insert(entry, {id, {}});
    entry->gradient = std::move(gradient);
}

void GradientsParams::add(ParamId id, ops::Handle gradient) {
    Entry* entry = place(id);
    if (entry == entries_.end() || entry->id != id) entry = insert(entry, {id, {}});
    entry->gradient = entry->gradient ? ops::add(std::move(entry->gradient), std::move(gradient)) : std::move(gradient);
}

void GradientsParams::add(GradientsParams other) {
    if (empty()) {
        *this = std::move(other);
        return;
    }
    for (Entry& entry : other.entries_) {
        if (entry.gradient) add(entry.id, std::move(entry.gradient));
    }
}

void detail::GradientCollector::param(const Path& path, const AnyParam& param) {
    if (!param.requires_grad()) return;
    // The second of two tied parameters finds the gradient of their one leaf taken.
    ops::Handle gradient = gradients_.take(param.leaf());
    if (!gradient) return;
    if (params_.find(param.id())) {
        raise(ErrorKind::Argument, Message() << "from_grads: the parameter " << path << " has the id " << param.id()
                                             << " of another one; give it a new_param_id()");
    }
    params_.put(param.id(), std::move(gradient));
}

void detail::GradientCollector::empty_param(const Path& path) { raise_empty_param("from_grads", path); }

}  // namespace burn::optim
