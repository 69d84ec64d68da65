#include "tests/fuzz/programs/run_program.h"

#include "tests/fuzz/programs/random_source.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace burn::fuzz {

namespace {

/// One run of a program.
class Execution {
public:
    Execution(const Program& program, ops::Engine& engine)
        : program_(program), engine_(engine), handles_(program.value_count()), lost_(handles_.size()),
          done_(program.lines.size(), false) {
        outcome_.reads.resize(program.lines.size());
        outcome_.errors.resize(program.lines.size());
        find_order();
    }

    Outcome run() {
        const int threads = program_.thread_count();
        if (threads == 1) {
            run_thread(0);
        } else {
            std::vector<std::thread> all;
            all.reserve(static_cast<std::size_t>(threads));
            for (int i = 0; i < threads; ++i) all.emplace_back([this, i] { run_thread(i); });
            for (std::thread& thread : all) thread.join();
        }
        handles_.clear();
        return std::move(outcome_);
    }

private:
    /// By line, the lines of other threads that must come before it: those that make or give away what it uses, and those that
    /// use what it gives away. Two that only use a tensor may run at the same time.
    void find_order() {
        struct Touch {
            std::size_t line;
            bool changes;
        };
        std::vector<std::vector<Touch>> touched(handles_.size());
        for (std::size_t i = 0; i < program_.lines.size(); ++i) {
            const Line& line = program_.lines[i];
            after_.emplace_back();
            const auto touch = [&](ValueId value, bool changes) {
                for (const Touch& before : touched[value]) {
                    if ((changes || before.changes) && program_.lines[before.line].thread != line.thread)
                        after_[i].push_back(before.line);
                }
                touched[value].push_back({i, changes});
            };
            for (const Operand& operand : line.operands)
                touch(operand.value, operand.given_away || line.kind == Line::Kind::Drop);
            for (const ValueId result : line.results) touch(result, true);
        }
    }

    void run_thread(int thread) {
        for (std::size_t i = 0; i < program_.lines.size(); ++i) {
            if (program_.lines[i].thread != thread) continue;
            if (program_.thread_count() > 1) wait_for(i);
            try {
                run_line(i);
            } catch (const std::exception& error) {
                outcome_.errors[i] = error.what()[0] == '\0' ? "an error without a text" : error.what();
                for (const ValueId result : program_.lines[i].results) lost_[result] = 1;
            }
            const std::lock_guard lock(mutex_);
            done_[i] = true;
            change_.notify_all();
        }
    }

    void wait_for(std::size_t index) {
        std::unique_lock lock(mutex_);
        change_.wait(lock, [&] {
            for (const std::size_t before : after_[index]) {
                if (!done_[before]) return false;
            }
            return true;
        });
    }

    void run_line(std::size_t index) {
        const Line& line = program_.lines[index];
        bool lost = false;
        for (const Operand& operand : line.operands) lost = lost || lost_[operand.value] != 0;
        if (lost) {
            for (const ValueId result : line.results) lost_[result] = 1;
            for (const Operand& operand : line.operands) {
                if (operand.given_away) handles_[operand.value] = {};
            }
            if (line.kind == Line::Kind::Read) outcome_.errors[index] = "depends on what failed";
            return;
        }
        switch (line.kind) {
            case Line::Kind::Input: handles_[line.results[0]] = engine_.upload(make_data(line.source)); break;
            case Line::Kind::Read: outcome_.reads[index] = engine_.read(handles_[line.operands[0].value]).wait(); break;
            case Line::Kind::Drop: handles_[line.operands[0].value] = {}; break;
            case Line::Kind::Apply: {
                ops::HandleList inputs;
                for (const Operand& operand : line.operands) {
                    ops::Handle& handle = handles_[operand.value];
                    inputs.push_back(operand.given_away ? std::move(handle) : handle);
                }
                ops::HandleList results = ops::apply_on(engine_, *line.op, std::move(inputs));
                for (std::size_t i = 0; i < line.results.size(); ++i) handles_[line.results[i]] = std::move(results[i]);
                break;
            }
        }
    }

    const Program& program_;
    ops::Engine& engine_;
    std::vector<ops::Handle> handles_;
    std::vector<char> lost_;  ///< by value: not there, for an error
    std::vector<std::vector<std::size_t>> after_;
    std::mutex mutex_;
    std::condition_variable change_;
    std::vector<bool> done_;
    Outcome outcome_;
};

}  // namespace

Outcome run(const Program& program, ops::Engine& engine) { return Execution(program, engine).run(); }

std::unique_ptr<Oracle> consult(const Program& program) {
    auto oracle = std::make_unique<Oracle>();
    for (const Line& line : program.lines) {
        for (const Operand& operand : line.operands) {
            if (!oracle->has(operand.value))
                raise(ErrorKind::Argument, Message() << "program: %" << operand.value << " is not there");
        }
        oracle->step(line);
    }
    return oracle;
}

std::string fault(const Program& program, const Outcome& outcome, Oracle& oracle) {
    for (std::size_t i = 0; i < program.lines.size(); ++i) {
        const Line& line = program.lines[i];
        if (!outcome.errors[i].empty()) {
            const ValueId value = line.kind == Line::Kind::Read ? line.operands[0].value
                                  : line.results.empty()        ? 0
                                                                : line.results[0];
            if (oracle.at(value).certainty == Certainty::Failed) continue;
            return "\"" + print(line) + "\" fails: " + outcome.errors[i];
        }
        if (!outcome.reads[i]) continue;
        const ValueId value = line.operands[0].value;
        const std::string difference = oracle.difference(value, *outcome.reads[i]);
        if (!difference.empty()) return "%" + std::to_string(value) + ": " + difference;
    }
    return "";
}

}  // namespace burn::fuzz
