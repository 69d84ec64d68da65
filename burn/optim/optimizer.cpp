#include <burn/optim/optimizer.h>

#include <burn/optim/weight_decay.h>

#include <algorithm>

namespace burn::optim {

Optimizer::Optimizer(Ref<OptimizerRule> rule, std::optional<GradientClipping> clipping)
    : rule_(std::move(rule)), clipping_(clipping) {
    if (clipping_) clipping_->check();
}

Optimizer::Step::Step(Optimizer& optimizer, double rate, GradientsParams gradients)
    : optimizer_(optimizer), rate_(rate), gradients_(std::move(gradients)) {
    optimizer_.rule();  // before anything changes
    require_not_negative("Optimizer::step", "the learning rate", rate);
    if (optimizer_.clipping_) optimizer_.clipping_->clip(gradients_);
    optimizer_.next_ = 0;
}

void Optimizer::Step::param(const Path& path, AnyParam& param) {
    ops::Handle gradient = gradients_.take(param.id());
    if (!gradient || param.frozen()) return;
    Entry& entry = optimizer_.entry_of(path, param.id());
    ops::Handle value = param.take();
    for (const Record::Tensor& tensor : entry.loaded) {
        if (tensor.spec != value.spec()) {
            raise(ErrorKind::Record, Message() << "optimizer: the state " << tensor.path << " is " << tensor.spec.dtype
                                               << ' ' << tensor.spec.shape << ", the parameter " << value.dtype() << ' '
                                               << value.shape());
        }
        entry.state.tensors.push_back(value.engine().upload(tensor.read()));
    }
    entry.loaded.clear();
    ++entry.state.time;
    param.set(optimizer_.rule().step(rate_, std::move(value), std::move(gradient), entry.state));
}

void Optimizer::Step::empty_param(const Path& path) { raise_empty_param("Optimizer::step", path); }

Optimizer::Entry& Optimizer::entry_of(const Path& path, ParamId id) {
    // Modules show their parameters in one order, so the state sought mostly follows the last one.
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const std::size_t at = (next_ + i) % entries_.size();
        if (entries_[at].id != id) continue;
        next_ = at + 1;
        return entries_[at];
    }
    for (Entry& entry : entries_) {
        const bool unclaimed = !entry.loaded.empty() || entry.id == 0;
        if (!unclaimed || entry.path != path.text()) continue;
        entry.id = id;
        return entry;
    }
    entries_.push_back({path.text(), id, {}, {}});
    next_ = entries_.size();
    return entries_.back();
}

Record Optimizer::record() const {
    Record record;
    const std::span<const char* const> names = rule().tensor_names();
    for (const Entry& entry : entries_) {
        // Two modules that share an optimiser may have parameters of one path; ids tell them apart.
        std::string path = entry.path;
        if (record.find_number((path + ".time").c_str()) != nullptr) path += '@' + std::to_string(entry.id);
        for (std::size_t i = 0; i < entry.loaded.size(); ++i) {
            record.add((path + '.' + names[i]).c_str(), entry.loaded[i].read(), entry.id);
        }
        for (std::size_t i = 0; i < entry.state.tensors.size(); ++i) {
            const ops::Handle& tensor = entry.state.tensors[i];
            record.add((path + '.' + names[i]).c_str(), tensor.engine().read(tensor).wait(), entry.id);
        }
        record.add((path + ".time").c_str(), entry.state.time);
    }
    return record;
}

void Optimizer::load_record(const Record& record) {
    const std::span<const char* const> names = rule().tensor_names();
    std::vector<Entry> entries;
    for (const Record::Number& number : record.numbers()) {
        const std::string path = number.path.text();
        if (std::string(number.path.last()) != "time" || path.size() < 5) {
            raise(ErrorKind::Record,
                  Message() << "optimizer: the number " << number.path << " is no state of this optimiser");
        }
        entries.push_back({path.substr(0, path.size() - 5), 0, {{}, number.value.as<std::int64_t>()}, {}});
    }
    std::size_t found = 0;
    for (Entry& entry : entries) {
        for (const char* name : names) {
            const Record::Tensor* tensor = record.find_tensor((entry.path + '.' + name).c_str());
            if (tensor == nullptr) continue;
            entry.loaded.push_back(*tensor);
            entry.id = tensor->id;
            ++found;
        }
        if (!entry.loaded.empty() && entry.loaded.size() != names.size()) {
            raise(ErrorKind::Record, Message() << "optimizer: the state of " << entry.path.c_str() << " has "
                                               << entry.loaded.size() << " tensors; expected " << names.size());
        }
    }
    if (found != record.tensors().size()) {
        raise(ErrorKind::Record, Message() << "optimizer: " << record.tensors().size() - found
                                           << " tensors of the record are no state of this optimiser");
    }
    entries_ = std::move(entries);
}

}  // namespace burn::optim
