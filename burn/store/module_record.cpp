#include <burn/base/error.h>
#include <burn/store/module_record.h>
#include <burn/store/quote.h>

#include <string>

namespace burn::detail {

namespace {

std::string text_of(const TensorSpec& spec) { return (Message() << "" << spec.dtype << ' ' << spec.shape).text(); }

bool same_param(const AnyParam& a, const AnyParam& b) { return a.tied_to(b) && a.id() == b.id(); }

}  // namespace

void StateCollector::param(const Path& path, const AnyParam& param) {
    if (!param.unique()) {
        for (const AnyParam& seen : shared_) {
            if (same_param(seen, param)) return;
        }
        shared_.push_back(param);
    }
    items_.push_back({path, param.leaf(), param.id()});
}

void StateCollector::empty_param(const Path& path) { raise_empty_param("to_record", path); }

void StateCollector::running_state(const Path& path, const AnyRunningState& state) {
    if (ops::Handle value = state.value()) items_.push_back({path, std::move(value), 0});
}

Record StateCollector::read() {
    // All reads are asked for before the first is waited for.
    std::vector<Pending<TensorData>> reads;
    reads.reserve(items_.size());
    for (const Item& item : items_) reads.push_back(item.value.engine().read(item.value));
    Record record;
    for (std::size_t i = 0; i < items_.size(); ++i) {
        record.add(items_[i].path.text(), std::move(reads[i]).wait(), items_[i].id);
    }
    return record;
}

void LoadPlan::param(const Path& path, const AnyParam& param) {
    if (param.unique()) {
        slots_.push_back({{path.text()}, param.spec(), {}, true});
        return;
    }
    for (Slot& slot : slots_) {
        if (slot.param.empty() || !same_param(slot.param, param)) continue;
        slot.paths.emplace_back(path.text());
        return;
    }
    slots_.push_back({{path.text()}, param.spec(), param, true});
}

void LoadPlan::empty_param(const Path& path) { raise_empty_param("load", path); }

void LoadPlan::running_state(const Path& path, const AnyRunningState& state) {
    if (ops::Handle value = state.value()) slots_.push_back({{path.text()}, value.spec(), {}, false});
}

std::string LoadPlan::fault_of(const Record::Tensor& entry, const TensorSpec& spec) const {
    const bool shape_fits = entry.spec.shape == spec.shape;
    const bool dtype_fits = entry.spec.dtype == spec.dtype ||
                            (options_.dtype != LoadDType::Exact && kind_of(entry.spec.dtype) == kind_of(spec.dtype));
    if (shape_fits && dtype_fits) return "";
    return "the record has " + text_of(entry.spec) + ", the module " + text_of(spec);
}

void LoadPlan::check(const Slot& slot, LoadReport& report) {
    const Record::Tensor* first = nullptr;
    for (const std::string& path : slot.paths) {
        const Record::Tensor* entry = record_.find_tensor(path.c_str());
        if (entry == nullptr) continue;
        std::string fault = fault_of(*entry, slot.spec);
        if (fault.empty() && first != nullptr && !(first->read() == entry->read())) {
            fault = "the module ties it to " + store::quote(first->path.text()) + ", the record has other values";
        }
        if (fault.empty()) {
            report.applied.push_back(path);
        } else {
            report.mismatched.push_back({path, std::move(fault)});
        }
        if (first == nullptr) first = entry;
    }
    if (first == nullptr) {
        report.missing.push_back(slot.paths.front());
        return;
    }
    for (const std::string& path : slot.paths) entries_.emplace(path, first);
    if (!slot.is_param || first->id == 0 || !options_.param_ids) return;
    if (!ids_.insert(first->id).second) {
        report.mismatched.push_back({slot.paths.front(), "another tensor of the record has the same parameter id"});
    }
}

LoadReport LoadPlan::report() {
    LoadReport report;
    std::unordered_set<std::string_view> known;
    for (const Slot& slot : slots_) {
        check(slot, report);
        known.insert(slot.paths.begin(), slot.paths.end());
    }
    for (const Record::Tensor& entry : record_.tensors()) {
        if (known.count(entry.path.text()) == 0) report.unused.emplace_back(entry.path.text());
    }
    for (const Record::Number& number : record_.numbers()) report.unused.emplace_back(number.path.text());
    for (ParamId id : ids_) reserve_param_id(id);
    return report;
}

const Record::Tensor* LoadPlan::find(const Path& path) const {
    const auto entry = entries_.find(path.text());
    return entry == entries_.end() ? nullptr : entry->second;
}

TensorData StateLoader::values(const Record::Tensor& entry, DType dtype) const {
    const TensorData data = entry.read();
    return plan_.options().dtype == LoadDType::CastToModule ? data.convert(dtype) : data;
}

void StateLoader::param(const Path& path, AnyParam& param) {
    const Record::Tensor* entry = plan_.find(path);
    if (entry == nullptr) {
        // Ids name one parameter each: who keeps its value gives way to those that the record names.
        if (plan_.gives_id(param.id())) param.set_id(new_param_id());
        return;
    }
    ops::Engine& engine = param.tracks() ? *param.engine().inner() : param.engine();
    param.set(engine.upload(values(*entry, param.spec().dtype)));
    if (plan_.options().param_ids && entry->id != 0) param.set_id(entry->id);
}

void StateLoader::running_state(const Path& path, AnyRunningState& state) {
    const Record::Tensor* entry = plan_.find(path);
    if (entry == nullptr) return;
    ops::Engine& engine = state.value().engine();
    state.set(engine.upload(values(*entry, state.value().spec().dtype)));
}

void require_state(const Record& record, const char* name) {
    if (!record.tensors().empty()) return;
    raise(ErrorKind::Argument, Message() << "save: the module " << name
                                         << " has no parameter and no running state: it was moved from, or has nothing "
                                            "to save");
}

void require_fit(const LoadReport& report, const LoadOptions& options, const char* origin) {
    if (report.fits(options)) return;
    constexpr std::size_t kLines = 4;  // of each kind: a message has room for no more
    raise(ErrorKind::Record,
          Message() << "load: " << origin << " does not fit the module: " << report.text(kLines).c_str());
}

}  // namespace burn::detail
