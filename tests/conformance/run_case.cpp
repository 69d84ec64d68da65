#include "tests/conformance/run_case.h"

#include "tests/conformance/compare.h"
#include "tests/conformance/layouts.h"

#include <burn/decorators/autodiff/autodiff.h>
#include <burn/ops/functions.h>
#include <burn/ops/movement.h>
#include <burn/ops/reduce.h>

#include <optional>

namespace burn::conformance {

namespace {

class CaseRun {
public:
    CaseRun(const TestedBackend& backend, const Family& family, const Case& oracle_case)
        : backend_(backend), case_(oracle_case), binding_(all_bindings().find(oracle_case.op)) {
        for (const std::string& name : case_.inputs) inputs_.push_back(family.read(name, case_.dtype));
        for (const std::string& name : case_.outputs) outputs_.push_back(family.read(name));
        for (const std::string& name : case_.cotangents) cotangents_.push_back(read_or_empty(family, name));
        for (const std::string& name : case_.input_grads) gradients_.push_back(read_or_empty(family, name));
    }

    std::vector<Failure> run() {
        if (binding_ == nullptr) {
            failures_.push_back({"bindings", "no binding for " + case_.op + ", and not_covered.cpp does not name it"});
            return failures_;
        }
        for (Placement placement : kPlacements) {
            if (!can_place(placement)) continue;
            attempt("plain", name_of(placement), [&] { forward_shared(backend_.plain(), placement); });
            attempt("untracked", name_of(placement), [&] { forward_shared(backend_.autodiff(), placement); });
            attempt("given away", name_of(placement), [&] { forward_given_away(placement); });
            if (!case_.cotangents.empty()) attempt("tracked", name_of(placement), [&] { backward(placement); });
            if (inputs_.empty()) return failures_;
        }
        if (inputs_.size() > 1 && failures_.empty()) attempt("plain", "mixed", [&] { forward_mixed(); });
        return failures_;
    }

private:
    static TensorData read_or_empty(const Family& family, const std::string& name) {
        return name.empty() ? TensorData() : family.read(name);
    }

    template <class Body>
    void attempt(const char* how, const char* placement, Body body) {
        where_ = std::string(how) + ", " + placement;
        try {
            body();
        } catch (const Error& error) {
            fail("", std::string(error_name(error.kind())) + ": " + error.what());
            failures_.back().lacks = lacking_primitive(error);
        } catch (const std::exception& error) {
            fail("", error.what());
        }
    }

    /// The operation of which a backend said that it lacks it, or "".
    static std::string lacking_primitive(const Error& error) {
        const std::string text = error.what();
        const bool lacks =
            error.kind() == ErrorKind::Unsupported && text.find("does not run this primitive") != std::string::npos;
        return lacks ? text.substr(0, text.find(':')) : "";
    }

    bool can_place(Placement placement) {
        const std::size_t before = failures_.size();
        attempt("operands", name_of(placement), [&] { place_all(backend_.plain(), placement); });
        if (failures_.size() > before) failures_.back().placing = true;
        return failures_.size() == before;
    }

    void fail(const std::string& part, const std::string& what) {
        failures_.push_back({part.empty() ? where_ : where_ + ", " + part, what});
    }

    ops::HandleList place_all(ops::Engine& engine, Placement placement) const {
        ops::HandleList handles;
        for (const TensorData& data : inputs_) handles.push_back(place(engine, data, placement));
        return handles;
    }

    ops::HandleList call(ops::Engine& engine, ops::HandleList inputs) const {
        Call call(case_, engine, std::move(inputs));
        try {
            return binding_(call);
        } catch (const nlohmann::ordered_json::exception& error) {
            malformed(case_.place, call.last_field(), plain_text(error));
        }
    }

    void forward_shared(ops::Engine& engine, Placement placement) {
        const ops::HandleList inputs = place_all(engine, placement);
        check_outputs(engine, call(engine, inputs));
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (!(engine.read(inputs[i]).wait() == inputs_[i])) fail(case_.inputs[i], "the operand was changed");
        }
    }

    void forward_given_away(Placement placement) {
        ops::Engine& engine = backend_.plain();
        check_outputs(engine, call(engine, place_all(engine, placement)));
    }

    void forward_mixed() {
        ops::Engine& engine = backend_.plain();
        ops::HandleList inputs;
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            inputs.push_back(place(engine, inputs_[i], kPlacements[(2 * i + 1) % kPlacements.size()]));
        check_outputs(engine, call(engine, std::move(inputs)));
    }

    /// Whether there were as many as the case lists: only then do its gradients belong to them.
    bool check_outputs(ops::Engine& engine, const ops::HandleList& got) {
        if (got.size() != outputs_.size()) {
            fail("", std::to_string(got.size()) + " outputs, expected " + std::to_string(outputs_.size()));
            return false;
        }
        for (std::size_t i = 0; i < got.size(); ++i) {
            check_dtype(engine, got[i].dtype(), i);
            check(case_.outputs[i], engine.read(got[i]).wait(), outputs_[i]);
        }
        return true;
    }

    void check(const std::string& name, const TensorData& got, const TensorData& want) {
        const std::string text = difference(got, want, case_.rtol, case_.atol);
        if (!text.empty()) fail(name.substr(name.find('/') + 1), text);
    }

    /// Floating results keep their type; integers that are no indices too, and indices are of the engine's type.
    void check_dtype(ops::Engine& engine, DType got, std::size_t i) {
        const DType want = outputs_[i].dtype();
        bool right = got == want;
        if (is_int(want)) right = got == case_.dtype.value_or(DType::I64) || got == engine.default_int();
        if (!right) fail(case_.outputs[i], std::string("the dtype is ") + name_of(got));
    }

    void backward(Placement placement) {
        ops::Engine& engine = backend_.autodiff();
        ops::HandleList leaves = place_all(engine, placement);
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            if (!case_.input_grads[i].empty()) leaves[i] = autodiff::require_grad(std::move(leaves[i]));
        }
        const ops::HandleList outputs = call(engine, leaves);
        if (!check_outputs(engine, outputs)) return;
        ops::Handle loss;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            if (case_.cotangents[i].empty()) continue;
            ops::Handle part = ops::sum_all(ops::mul(outputs[i], engine.upload(cotangents_[i])));
            loss = loss ? ops::add(std::move(loss), std::move(part)) : std::move(part);
        }
        const autodiff::Gradients gradients = autodiff::backward(loss);
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            if (case_.input_grads[i].empty()) continue;
            const ops::Handle gradient = gradients.get(leaves[i]);
            if (gradient) {
                check(case_.input_grads[i], gradient.engine().read(gradient).wait(), gradients_[i]);
            } else {
                fail(case_.input_grads[i], "there is no gradient");
            }
        }
    }

    const TestedBackend& backend_;
    const Case& case_;
    Binding binding_;
    std::vector<TensorData> inputs_;
    std::vector<TensorData> outputs_;
    std::vector<TensorData> cotangents_;
    std::vector<TensorData> gradients_;
    std::string where_;
    std::vector<Failure> failures_;
};

}  // namespace

std::vector<Failure> run_case(const TestedBackend& backend, const Family& family, const Case& oracle_case) {
    std::optional<CaseRun> prepared;
    try {
        prepared.emplace(backend, family, oracle_case);
    } catch (const Error& error) {
        return {{"tensors", std::string(error_name(error.kind())) + ": " + error.what()}};
    }
    return prepared->run();
}

}  // namespace burn::conformance
