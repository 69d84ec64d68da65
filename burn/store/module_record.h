#pragma once

#include <burn/module/module.h>
#include <burn/module/record.h>
#include <burn/store/load_report.h>

#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace burn {

namespace detail {

/// Gathers the parameters and running states of a module, tied parameters once, and then reads them all.
class StateCollector final : public ModuleVisitor {
public:
    void param(const Path& path, const AnyParam& param) override;
    void empty_param(const Path& path) override;
    void running_state(const Path& path, const AnyRunningState& state) override;
    Record read();

private:
    struct Item {
        Path path;
        ops::Handle value;
        ParamId id;
    };
    std::vector<Item> items_;
    std::vector<AnyParam> shared_;
};

/// Holds a record against a module: what goes where, and what does not fit.
class LoadPlan final : public ModuleVisitor {
public:
    LoadPlan(const Record& record, const LoadOptions& options) : record_(record), options_(options) {}

    void param(const Path& path, const AnyParam& param) override;
    void empty_param(const Path& path) override;
    void running_state(const Path& path, const AnyRunningState& state) override;

    /// After the visit.
    LoadReport report();
    const LoadOptions& options() const { return options_; }
    /// The entry for the parameter or state at a path; null when the record has none.
    const Record::Tensor* find(const Path& path) const;
    /// Whether a parameter of the record has this id.
    bool gives_id(ParamId id) const { return ids_.count(id) != 0; }

private:
    /// A parameter or state: one place, or several that are tied.
    struct Slot {
        std::vector<std::string> paths;
        TensorSpec spec;
        AnyParam param;  ///< empty for states and for parameters that have no second owner
        bool is_param = false;
    };
    void check(const Slot& slot, LoadReport& report);
    std::string fault_of(const Record::Tensor& entry, const TensorSpec& spec) const;

    const Record& record_;
    const LoadOptions& options_;
    std::vector<Slot> slots_;
    std::unordered_map<std::string, const Record::Tensor*> entries_;
    std::unordered_set<ParamId> ids_;
};

/// Carries a plan out.
class StateLoader final : public ModuleMapper {
public:
    explicit StateLoader(const LoadPlan& plan) : plan_(plan) {}
    void param(const Path& path, AnyParam& param) override;
    void running_state(const Path& path, AnyRunningState& state) override;

private:
    TensorData values(const Record::Tensor& entry, DType dtype) const;

    const LoadPlan& plan_;
};

/// Errors    RecordError with the report when it does not fit; `origin` is the record's name
void require_fit(const LoadReport& report, const LoadOptions& options, const char* origin);

/// Errors    ArgumentError when the record of the module `name` is empty
void require_state(const Record& record, const char* name);

template <Module M>
LoadReport load_checked(M& module, const Record& record, const LoadOptions& options, const char* origin) {
    LoadPlan plan(record, options);
    visit_module(module, plan);
    const LoadReport report = plan.report();
    require_fit(report, options, origin);
    // A copy takes the values: when reading one fails in the middle, the module is as it was.
    StateLoader loader(plan);
    module = map_module(module, loader);
    return report;
}

}  // namespace detail

/// The parameters and running states of a module by path. Tied parameters are one entry, under the first of their paths.
/// Parameters that were not used yet get their first value now.
///
/// Errors    ArgumentError when a parameter has no value and no way to make one: the module was moved from, or is not initialised
template <Module M>
Record to_record(const M& module) {
    detail::StateCollector collector;
    visit_module(module, collector);
    return collector.read();
}

/// Gives the parameters and running states of `module` the values of a record, and the parameters its ids. Everything is
/// checked before anything is changed. An initialiser that has not run yet never runs.
///
/// Of tied parameters, the record may have one path or several; several must agree.
///
/// Errors    RecordError with the report when record and module differ in more than the options allow; ArgumentError as
///           to_record; those of reading
template <Module M>
LoadReport load_record(M& module, const Record& record, const LoadOptions& options = {}) {
    return detail::load_checked(module, record, options, "the record");
}

}  // namespace burn
