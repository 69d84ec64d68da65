#include <burn/compiler/schedule.h>

#include <burn/compiler/leaving.h>
#include <burn/compiler/outline.h>
#include <burn/compiler/reduction.h>
#include <burn/compiler/row_values.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace burn::compiler {

namespace {

using kernel::Access;
using kernel::Builder;
using kernel::kIndex;
using kernel::Place;
using kernel::splat;
using kernel::Value;
using kernel::Variable;

/// How many elements ahead kernels ask for what they will read and store: so many that memory can bring them, so few that
/// they still lie in the first cache beside the rows.
constexpr std::int64_t kReadAhead = 2048, kStoredAhead = 1536;

bool has_index(const ops::AnyOp& op) { return op.code() == ops::OpCode::Gather || op.code() == ops::OpCode::Scatter; }

const char* name_of(const Group& group) { return group.rows ? "rows" : group.leaving.empty() ? "pointwise" : "sums"; }

/// Writes the kernel of one group: a cube's walk over its rows, and the passes over each.
class Writer {
public:
    explicit Writer(Outline outline)
        : outline_(std::move(outline)), segment_(outline_.segment), group_(outline_.group), space_(outline_.space),
          grid_(outline_.grid), phases_(outline_.phases), rounding_(segment_, group_, phases_), k_(name_of(group_)),
          walk_(outline_.walk(k_)), sums_(walk_, segment_, group_, grid_), tensors_(outline_, walk_),
          values_(outline_, walk_, tensors_, rounding_) {}

    Schedule write() {
        declare_parameters();
        const Value cube = k_.cube_index();
        Value part = cube, first = k_.index(0), last = *walk_.columns;
        if (!group_.rows) {
            const bool one_part = space_.outer == 0 && !grid_.lines_in_cubes;
            const Value block = one_part ? cube : rem(cube, *blocks_);
            if (!one_part) part = cube / *blocks_;
            first = block * *block_;
            last = min_pair(first + *block_, *walk_.columns);
        }
        tensors_.begin();
        Value line = k_.index(0);
        if (grid_.lines_in_cubes) {
            line = rem(part, *walk_.lines);
            part = part / *walk_.lines;
            tensors_.enter_cube(line);
        }
        sums_.begin(first, last, outline_.cube_length());
        if (schedule_.checks) fault_ = k_.variable({DType::Bool, 1}, 0);
        if (space_.outer == 0) {
            write_row(k_.index(0), first, last);
        } else {
            const Value first_row = part * *rows_per_cube_, last_row = min_pair(first_row + *rows_per_cube_, *rows_);
            write_rows(first_row, last_row, first, last);
        }
        const std::size_t first_sum = tensors_.output(outline_.stored_outputs());
        sums_.end(std::span<const Place>(tensors_.places()).subspan(first_sum), cube,
                  space_.outer == 0 ? k_.index(0) : part, line);
        if (fault_) faults_->store(cube, fault_->get());
        schedule_.kernel = k_.finish();
        return std::move(schedule_);
    }

private:
    // ---- parameters

    Value size(std::int64_t number) {
        schedule_.sizes.push_back(static_cast<std::uint64_t>(number));
        return k_.scalar(kIndex);
    }

    void declare_parameters() {
        tensors_.declare_buffers();
        schedule_.cubes = grid_.cubes;
        if (group_.goes_by_rows()) {
            schedule_.row = outline_.row_length();
            schedule_.cubes_per_row = grid_.blocks;
        }
        schedule_.checks = checks_indices(group_, segment_);
        if (schedule_.checks) faults_ = k_.buffer(DType::Bool, Access::Write);
        walk_.columns = size(space_.columns());
        if (!group_.rows) block_ = size(grid_.block);
        if (!group_.rows && (space_.outer > 0 || grid_.lines_in_cubes)) blocks_ = size(grid_.blocks);
        if (space_.outer < space_.last()) walk_.lines = size(space_.lines());
        if (space_.outer > 0) {
            rows_per_cube_ = size(grid_.rows_per_cube);
            rows_ = size(space_.rows());
        }
        const auto scalar = [this](std::int64_t number) { return size(number); };
        tensors_.declare_strides(scalar);
        sums_.declare(scalar, phases_.one_per_row, schedule_);
        values_.declare_attributes(schedule_);
    }

    // ---- a row

    void write_rows(const Value& first_row, const Value& last_row, const Value& first, const Value& last) {
        if (outline_.joins_passes()) return write_rows_joined(first_row, last_row, first, last);
        if (outline_.runs_ahead()) return write_rows_ahead(first_row, last_row, first, last);
        k_.for_loop(first_row, last_row, 1, [&](Value row) { write_row(row, first, last); });
    }

    void write_row(const Value& row, const Value& first, const Value& last) {
        enter_row(row, first, last);
        for (std::uint32_t pass = 0; pass < phases_.passes.size(); ++pass) {
            values_.make_row_values(pass);
            write_pass(pass, first, last);
        }
        end_row();
    }

    /// Rows whose first pass runs ahead: where the processor waits for what a pass found, another row gives it work.
    void write_rows_ahead(const Value& first_row, const Value& last_row, const Value& first, const Value& last) {
        run_first_pass(first_row, first, last);
        const RowValues::FoundNumbers found = values_.found_before(1);
        const std::uint32_t last_walk = outline_.last_walk();
        k_.for_loop(first_row, last_row, 1, [&](Value row) {
            enter_row(row, first, last);
            values_.make_row_values(0);
            values_.take(found);
            for (std::uint32_t pass = 1; pass < last_walk; ++pass) {
                values_.make_row_values(pass);
                write_pass(pass, first, last);
            }
            values_.make_row_values(last_walk);
            values_.prepare_divisors();
            const RowValues::Row here = values_.row();
            const Value next_row = row + 1;
            k_.if_then(lower(next_row, last_row), [&] {
                run_first_pass(next_row, first, last);
                values_.set(found);
            });
            tensors_.enter_row(row);
            values_.resume(here);
            write_pass(last_walk, first, last);
            if (last_walk < phases_.last()) values_.make_row_values(phases_.last());
            end_row();
        });
    }

    void run_first_pass(const Value& row, const Value& first, const Value& last) {
        enter_row(row, first, last);
        values_.make_row_values(0);
        write_pass(0, first, last);
        values_.make_row_values(1);
    }

    /// Where the kernel stands while it works on a row.
    struct RowState {
        KernelTensors::Standing tensors;
        RowValues::Row values;
    };
    void resume(const RowState& row) {
        tensors_.stand(row.tensors);
        values_.resume(row.values);
    }

    /// Rows of three passes that walk together, each over a row of its own: the last over one row, the second over the next, the
    /// first over one further on. There the divider has time for every element, so that no reciprocals are prepared.
    void write_rows_joined(const Value& first_row, const Value& last_row, const Value& first, const Value& last) {
        const Value final_row = last_row - 1;
        run_first_pass(first_row, first, last);
        walk_row(1, first, last);
        values_.make_row_values(2);
        const RowValues::FoundNumbers found = values_.found_before(2);
        // Of the rows between.
        std::vector<RowValues::FoundNumbers> coming;
        const std::int64_t ahead = outline_.rows_ahead();
        for (std::int64_t i = 1; i < ahead; ++i) {
            run_first_pass(min_pair(first_row + i, final_row), first, last);
            coming.push_back(values_.found_before(1));
        }
        k_.for_loop(first_row, final_row, 1, [&](Value row) {
            const RowState here = enter(row, found, first, last), next = enter(row + 1, coming[0], first, last);
            // After the final row it goes over that once more, for nothing.
            const RowState far = enter(min_pair(row + ahead, final_row), {}, first, last);
            walk_joined(here, next, far, first, last, found, coming);
            resume(here);
            end_row();
        });
        enter(final_row, found, first, last);
        walk_row(2, first, last);
        end_row();
    }

    RowState enter(const Value& row, const RowValues::FoundNumbers& found, const Value& first, const Value& last) {
        enter_row(row, first, last);
        values_.make_row_values(0);
        values_.take(found);
        return {tensors_.standing(), values_.row()};
    }

    /// Walks the three rows, and hands what was found on to the rows before them.
    void walk_joined(const RowState& here, const RowState& next, const RowState& far, const Value& first,
                     const Value& last, const RowValues::FoundNumbers& found,
                     const std::vector<RowValues::FoundNumbers>& coming) {
        struct Walked {
            const RowState& row;
            Pass pass;
        };
        Walked walked[] = {{here, pass_of(2)}, {next, pass_of(1)}, {far, pass_of(0)}};
        for (Walked& each : walked) begin_pass(each.pass);
        const Value line = k_.index(0);
        walk_.walk(first, last, [&](const Columns& at) {
            for (Walked& each : walked) {
                resume(each.row);
                compute(each.pass, at, line);
            }
            if (at.copy + 1 < at.copies) return;
            for (Walked& each : walked) {
                resume(each.row);
                store(each.pass);
            }
        });
        resume(next);
        end_pass(walked[1].pass);
        values_.make_row_values(2);
        values_.set(found);
        for (std::size_t i = 1; i < coming.size(); ++i) {
            for (const auto& [value, number] : coming[i]) coming[i - 1].at(value).set(number.get());
        }
        resume(far);
        end_pass(walked[2].pass);
        values_.make_row_values(1);
        values_.set(coming.back());
    }

    void enter_row(const Value& row, const Value& first, const Value& last) {
        tensors_.enter_row(row);
        values_.begin_row(row, first, last);
    }

    void end_row() {
        for (std::size_t i = 0; i < outline_.stored_outputs(); ++i) {
            const ValueId output = group_.outputs[i];
            if (phases_.one_per_row[output]) tensors_.store_one(tensors_.output(i), values_.of_row(output));
        }
        for (const std::uint32_t op : group_.ops) {
            if (has_index(segment_.ops[op].op)) fault_->set(bool_or(fault_->get(), values_.index_of(op).beyond));
        }
        for (const LeavingSums::Sum& sum : sums_.sums()) {
            if (sum.over_rows) sums_.feed_row(sum, values_.of_row(sum.operand));
        }
    }

    /// A pass over a row, while it is written.
    struct Pass {
        std::uint32_t number = 0;
        std::vector<std::size_t> stores;
        std::vector<const LeavingSums::Sum*> feeds;
        std::vector<RowReduction> reductions;

        struct Result {
            std::size_t output;
            Columns at;
            Value value;
        };
        /// What waits to be stored: results, and elements of which values are kept.
        std::vector<Result> results;
        std::vector<RowElements> kept;
    };

    Pass pass_of(std::uint32_t number) const {
        Pass pass;
        pass.number = number;
        if (number != phases_.last()) return pass;
        for (std::size_t i = 0; i < outline_.stored_outputs(); ++i) {
            if (!phases_.one_per_row[group_.outputs[i]]) pass.stores.push_back(i);
        }
        for (const LeavingSums::Sum& sum : sums_.sums()) {
            if (!sum.over_rows) pass.feeds.push_back(&sum);
        }
        return pass;
    }

    void begin_pass(Pass& pass) {
        for (const std::uint32_t op : phases_.passes[pass.number].reductions)
            pass.reductions.push_back(begin_reduction(segment_.ops[op]));
        values_.begin_keeping(pass.number);
    }

    void write_pass(std::uint32_t number, const Value& first, const Value& last) {
        values_.prepare_divisors();
        walk_row(number, first, last);
    }

    void walk_row(std::uint32_t number, const Value& first, const Value& last) {
        Pass pass = pass_of(number);
        if (phases_.passes[number].reductions.empty() && pass.stores.empty() && pass.feeds.empty()) return;
        begin_pass(pass);
        for_lines([&](const Value& line) {
            walk_.walk(first, last, [&](const Columns& at) {
                compute(pass, at, line);
                if (at.copy + 1 == at.copies) store(pass);
            });
        });
        end_pass(pass);
    }

    /// Everything is loaded before anything is stored: a result may lie where an operand lay. Vectors that are walked together
    /// wait with their stores for the last, so that what computes one may come between what computes another.
    void compute(Pass& pass, const Columns& at, const Value& line) {
        RowElements elements{at, line + at.first, pass.number};
        prefetch(pass.number, at);
        for (std::size_t i = 0; i < pass.reductions.size(); ++i) {
            const SegmentOp& op = segment_.ops[phases_.passes[pass.number].reductions[i]];
            pass.reductions[i].take(rounding_.operand(op, 0, values_.at(op.inputs[0], elements)), at);
        }
        std::vector<Value> fed;
        for (const LeavingSums::Sum* sum : pass.feeds) fed.push_back(values_.at(sum->operand, elements));
        for (const std::size_t i : pass.stores)
            pass.results.push_back({i, at, splat(values_.at(group_.outputs[i], elements), walk_.lanes)});
        for (std::size_t j = 0; j < pass.feeds.size(); ++j) sums_.feed(*pass.feeds[j], fed[j], at, elements.in_row);
        if (!phases_.passes[pass.number].keeps.empty()) pass.kept.push_back(std::move(elements));
    }

    void store(Pass& pass) {
        for (RowElements& elements : pass.kept) values_.keep(elements);
        pass.kept.clear();
        for (const Pass::Result& result : pass.results)
            tensors_.store(tensors_.output(result.output), result.at, result.value);
        pass.results.clear();
    }

    void end_pass(Pass& pass) {
        for (std::size_t i = 0; i < pass.reductions.size(); ++i) {
            const ValueId result = segment_.ops[phases_.passes[pass.number].reductions[i]].outputs[0];
            values_.set_of_row(result, rounding_.made(result, pass.reductions[i].finish()));
        }
    }

    RowReduction begin_reduction(const SegmentOp& op) const {
        return {walk_, reduce_rule(op.op.code()), outline_.compute_dtype(op.inputs[0]), space_.columns()};
    }

    /// Calls `body` for every line of the row with where it begins in the row.
    template <class Body>
    void for_lines(Body body) {
        tensors_.enter_first_line();
        if (grid_.lines_in_cubes || !walk_.lines) {
            body(k_.index(0));
            return;
        }
        k_.for_loop(k_.index(0), *walk_.lines, 1, [&](Value line) {
            tensors_.enter_line(line);
            body(line * *walk_.columns);
        });
    }

    /// Asks for what a row of several passes wants later, while memory would have nothing to do: in the second pass for the row
    /// of the inputs that is begun next, in the last but one for the places of the results. Where columns are summed in blocks of
    /// a row, the processor does not see where the next row of the block lies. Where elements are dear, for what comes next in
    /// memory.
    void prefetch(std::uint32_t pass, const Columns& at) const {
        if (walk_.vectors != 0 || walk_.lines || space_.outer > 1) return;
        if (outline_.asks_ahead() && at.copy == 0) prefetch_together(at);
        if (space_.outer == 0) return;
        if (outline_.joins_passes()) {
            if (pass != 2) return;
            // Beyond the cube's last row too: there the next cube begins, with passes that would wait for memory.
            prefetch_inputs(at, outline_.rows_ahead(), kReadAhead);
            prefetch_results(at, kStoredAhead);
            return;
        }
        const bool several_passes = phases_.last() > 0 && outline_.may_keep();
        const bool rows_of_blocks = grid_.blocks > 1 && grid_.rows_per_cube > 1;
        if (several_passes ? pass == 1 : rows_of_blocks) prefetch_inputs(at, outline_.runs_ahead() ? 2 : 1, 0);
        if (several_passes && pass + 1 == phases_.last()) prefetch_results(at, 0);
    }

    /// Before the first of the vectors: between them it would keep their instructions from changing places.
    void prefetch_together(const Columns& at) const {
        for (std::size_t t = 0; t < group_.names.size(); ++t)
            tensors_.prefetch_together(t, at, kReadAhead, Access::Read);
        for (std::size_t i = 0; i < outline_.stored_outputs(); ++i)
            tensors_.prefetch_together(tensors_.output(i), at, kStoredAhead, Access::Write);
    }

    void prefetch_inputs(const Columns& at, std::int64_t rows_after, std::int64_t elements_after) const {
        for (std::size_t t = 0; t < group_.names.size(); ++t)
            tensors_.prefetch(t, at, rows_after, elements_after, Access::Read);
    }

    void prefetch_results(const Columns& at, std::int64_t elements_after) const {
        for (std::size_t i = 0; i < outline_.stored_outputs(); ++i)
            tensors_.prefetch(tensors_.output(i), at, 0, elements_after, Access::Write);
    }

    const Outline outline_;
    const Segment& segment_;
    const Group& group_;
    const Space& space_;
    const Grid& grid_;
    const Phases& phases_;
    Rounding rounding_;
    Builder k_;
    RowWalk walk_;
    LeavingSums sums_;
    KernelTensors tensors_;
    RowValues values_;
    Schedule schedule_;

    std::optional<Value> block_, blocks_, rows_per_cube_, rows_;
    std::optional<Place> faults_;  ///< by cube: whether an index lay beyond its row
    std::optional<Variable> fault_;
};

}  // namespace

bool checks_indices(const Group& group, const Segment& segment) {
    return std::any_of(group.ops.begin(), group.ops.end(),
                       [&](std::uint32_t op) { return has_index(segment.ops[op].op); });
}

Schedule schedule(const Segment& segment, const Group& group, std::span<const Layout> input_layouts,
                  std::size_t vector_bytes) {
    return Writer(make_outline(segment, group, input_layouts, vector_bytes)).write();
}

}  // namespace burn::compiler
