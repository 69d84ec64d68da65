#include <burn/kernel/interpret.h>

#include <burn/base/error.h>
#include <burn/kernel/element.h>
#include <burn/kernel/evaluate.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace burn::kernel {

namespace {

using Word = std::uint64_t;  // an element's bits

std::int64_t signed_of(Word word) { return static_cast<std::int64_t>(word); }

/// What is in memory at `at` as an element's bits.
Word read_element(DType dtype, const std::byte* at) {
    return visit_dtype(dtype, [at](auto zero) {
        using T = decltype(zero);
        using Stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;
        Stored stored{};
        std::memcpy(&stored, at, sizeof stored);
        return canonical_bits(dtype_of<T>, bits_of(stored));
    });
}

void write_element(DType dtype, std::byte* at, Word word) {
    visit_dtype(dtype, [at, word](auto zero) {
        const auto element = element_of<decltype(zero)>(word);
        std::memcpy(at, &element, sizeof element);
    });
}

/// Who touched an element of a shared array since the last barrier.
struct Touch {
    static constexpr int kNobody = -1, kMany = -2;
    std::uint32_t epoch = 0;
    int writer = kNobody;
    int reader = kNobody;
    bool atomic = false;  ///< all writes were
};

/// Elements in memory. Those of shared arrays know who touched them.
struct Memory {
    DType dtype = DType::F32;
    std::byte* data = nullptr;
    std::int64_t count = 0;
    std::vector<std::byte> own;
    std::vector<Touch> touches;
};

enum class Use { Read, Write, Atomic };

/// Where a unit is: a block, and how far in it.
struct Frame {
    BlockId block;
    NodeId owner;
    std::size_t at = 0;
};

struct Unit {
    int index = 0;
    std::vector<Word> registers;
    std::vector<Memory> local;
    std::vector<Frame> frames;
};

class Interpreter {
public:
    Interpreter(const Kernel& kernel, std::span<const BufferElements> buffers, std::span<const Word> scalars)
        : kernel_(kernel), slots_(kernel.nodes.size()), places_(kernel.nodes.size()) {
        for (NodeId id = 0; id < kernel.nodes.size(); ++id) {
            slots_[id] = register_count_;
            register_count_ += kernel[id].type.lanes;
        }
        bind(buffers, scalars);
        for (NodeId id = 0; id < kernel.nodes.size(); ++id) {
            const NodeKind kind = kernel[id].kind;
            if (kind == NodeKind::SharedArray) add_array(id, shared_);
            if (kind == NodeKind::LocalArray) add_array(id, local_);
        }
        for (std::uint32_t i = 0; i < kernel.units; ++i) {
            Unit& unit = units_.emplace_back();
            unit.index = static_cast<int>(i);
            unit.registers.resize(register_count_);
            unit.local = local_;
            for (Memory& memory : unit.local) memory.data = memory.own.data();
        }
        for (Memory& memory : shared_) {
            memory.data = memory.own.data();
            if (kernel.units > 1) memory.touches.resize(static_cast<std::size_t>(memory.count));
        }
    }

    void run_cube(std::int64_t cube) {
        cube_ = cube;
        ++epoch_;
        for (Memory& memory : shared_) std::fill(memory.own.begin(), memory.own.end(), std::byte{0xff});
        for (Unit& unit : units_) {
            for (Memory& memory : unit.local) std::fill(memory.own.begin(), memory.own.end(), std::byte{0xff});
            for (const auto& [id, word] : scalars_) unit.registers[slots_[id]] = word;
            unit.frames.assign(1, {0, 0});
        }
        do {
            for (Unit& unit : units_) run_to_sync(unit);
        } while (pass_sync());
    }

private:
    // ---- parameters and places

    void bind(std::span<const BufferElements> buffers, std::span<const Word> scalars) {
        for (const NodeId id : kernel_.parameters) {
            const Node& node = kernel_[id];
            if (node.kind == NodeKind::Buffer) {
                const std::size_t i = buffers_.size();
                if (i < buffers.size())
                    buffers_.push_back({node.type.dtype, buffers[i].data, buffers[i].count, {}, {}});
                places_[id] = i;
            } else {
                const std::size_t i = scalars_.size();
                if (i < scalars.size()) scalars_.emplace_back(id, canonical_bits(node.type.dtype, scalars[i]));
            }
        }
        const std::size_t given = buffers.size() + scalars.size(), taken = buffers_.size() + scalars_.size();
        if (taken != kernel_.parameters.size() || given != taken) {
            raise(ErrorKind::Argument, Message() << "kernel " << kernel_.name.c_str() << ": " << buffers.size()
                                                 << " buffers and " << scalars.size()
                                                 << " scalars do not fit its parameters");
        }
    }

    void add_array(NodeId id, std::vector<Memory>& arrays) {
        const Node& node = kernel_[id];
        places_[id] = arrays.size();
        Memory& memory = arrays.emplace_back();
        memory.dtype = node.type.dtype;
        memory.count = signed_of(node.immediate);
        memory.own.resize(node.immediate * size_of(node.type.dtype));
    }

    Memory& place(Unit& unit, NodeId id) {
        switch (kernel_[id].kind) {
            case NodeKind::Buffer: return buffers_[places_[id]];
            case NodeKind::SharedArray: return shared_[places_[id]];
            default: return unit.local[places_[id]];
        }
    }

    // ---- faults

    [[noreturn]] void fail(ErrorKind kind, NodeId id, const Unit& unit, const Message& what) const {
        raise(kind, Message() << "kernel " << kernel_.name.c_str() << ": %" << id << ": "
                              << info_of(kernel_[id].kind).text << ": " << what.text() << " (cube " << cube_
                              << ", unit " << unit.index << ')');
    }

    // ---- walking

    /// Runs a unit until it meets a Sync node or its end.
    void run_to_sync(Unit& unit) {
        while (!unit.frames.empty()) {
            Frame& frame = unit.frames.back();
            const auto& body = kernel_.blocks[frame.block];
            if (frame.at == body.size()) {
                leave(unit);
                continue;
            }
            const NodeId id = body[frame.at];
            if (info_of(kernel_[id].kind).node_class == NodeClass::Sync) return;
            ++frame.at;
            execute(unit, id);
        }
    }

    /// At the end of a block: once more for loops, else out of it.
    void leave(Unit& unit) {
        const Frame frame = unit.frames.back();
        unit.frames.pop_back();
        if (unit.frames.empty()) return;
        const Node& owner = kernel_[frame.owner];
        if (owner.kind == NodeKind::While) {
            unit.frames.push_back({owner.blocks[0], frame.owner});
        } else if (owner.kind == NodeKind::For) {
            Word& index = unit.registers[slots_[frame.owner]];
            const std::int64_t end = signed_of(operand(unit, owner, 1)), step = signed_of(operand(unit, owner, 2));
            std::int64_t next = 0;
            if (__builtin_add_overflow(signed_of(index), step, &next) || next >= end) return;
            index = static_cast<Word>(next);
            unit.frames.push_back({owner.blocks[0], frame.owner});
        }
    }

    /// Lets the units go on from the Sync node where all of them are; false when all are at their end.
    bool pass_sync() {
        const NodeId id = waits_at(units_[0]);
        for (const Unit& unit : units_) {
            require_internal(waits_at(unit) == id, "kernel: units wait at different places");
        }
        if (id == kNobody) return false;
        if (kernel_[id].kind == NodeKind::Barrier) {
            ++epoch_;
        } else {
            for (std::size_t first = 0; first < units_.size(); first += kernel_.plane) exchange(id, first);
        }
        for (Unit& unit : units_) ++unit.frames.back().at;
        return true;
    }

    static constexpr NodeId kNobody = ~NodeId(0);
    NodeId waits_at(const Unit& unit) const {
        if (unit.frames.empty()) return kNobody;
        return kernel_.blocks[unit.frames.back().block][unit.frames.back().at];
    }

    /// PlaneReduce and PlaneShuffle in the plane whose first unit this is.
    void exchange(NodeId id, std::size_t first) {
        const Node& node = kernel_[id];
        const std::span<Unit> plane(&units_[first], kernel_.plane);
        std::vector<Word> values(plane.size());
        for (std::size_t lane = 0; lane < node.type.lanes; ++lane) {
            const auto gather = [&] {
                for (std::size_t i = 0; i < plane.size(); ++i) values[i] = operand(plane[i], node, 0, lane);
            };
            gather();
            if (node.kind == NodeKind::PlaneReduce) {
                const auto reduction = static_cast<Reduction>(node.immediate);
                const Word all = fold_bits(node.type.dtype, reduction, values.data(), values.size());
                for (Unit& unit : plane) unit.registers[slots_[id] + lane] = all;
            } else {
                for (Unit& unit : plane) {
                    const Word from = operand(unit, node, 1);
                    if (from >= plane.size())
                        fail(ErrorKind::Index, id, unit,
                             Message() << "unit " << signed_of(from) << " of a plane of " << plane.size());
                    unit.registers[slots_[id] + lane] = values[from];
                }
            }
        }
    }

    // ---- nodes

    Word operand(const Unit& unit, const Node& node, std::size_t i, std::size_t lane = 0) const {
        return unit.registers[slots_[node.operands[i]] + lane];
    }

    void execute(Unit& unit, NodeId id) {
        const Node& node = kernel_[id];
        Word* const result = unit.registers.data() + slots_[id];
        switch (node.kind) {
            case NodeKind::CubeIndex: *result = static_cast<Word>(cube_); return;
            case NodeKind::UnitIndex: *result = static_cast<Word>(unit.index); return;
            case NodeKind::SharedArray:
            case NodeKind::LocalArray:
            case NodeKind::Prefetch: return;
            case NodeKind::Load: return load(unit, id);
            case NodeKind::Store: return store(unit, id);
            case NodeKind::Atomic: return atomic(unit, id);
            case NodeKind::Variable:
            case NodeKind::Get: return copy(unit, node.operands[0], id);
            case NodeKind::Set: return copy(unit, node.operands[1], node.operands[0]);
            case NodeKind::For:
                if (signed_of(operand(unit, node, 2)) <= 0)
                    fail(ErrorKind::Argument, id, unit,
                         Message() << "step " << signed_of(operand(unit, node, 2)) << "; expected one above 0");
                if (signed_of(operand(unit, node, 0)) >= signed_of(operand(unit, node, 1))) return;
                *result = operand(unit, node, 0);
                unit.frames.push_back({node.blocks[0], id});
                return;
            case NodeKind::If: {
                const BlockId block = node.blocks[operand(unit, node, 0) != 0 ? 0 : 1];
                if (block != kNoBlock) unit.frames.push_back({block, id});
                return;
            }
            case NodeKind::While: unit.frames.push_back({node.blocks[0], id}); return;
            case NodeKind::ContinueIf: {
                const NodeId loop = unit.frames.back().owner;
                unit.frames.pop_back();
                if (operand(unit, node, 0) != 0) unit.frames.push_back({kernel_[loop].blocks[1], loop});
                return;
            }
            default: break;
        }
        const Word* operands[3] = {};
        for (std::size_t i = 0; i < node.operand_count; ++i) operands[i] = &unit.registers[slots_[node.operands[i]]];
        evaluate(kernel_, id, {operands, node.operand_count}, result);
    }

    void copy(Unit& unit, NodeId from, NodeId to) {
        for (std::size_t i = 0; i < kernel_[to].type.lanes; ++i) {
            unit.registers[slots_[to] + i] = unit.registers[slots_[from] + i];
        }
    }

    // ---- memory

    /// The element that lane `lane` of a memory node means.
    std::byte* element(Unit& unit, NodeId id, std::size_t lane, Use use) {
        const Node& node = kernel_[id];
        Memory& memory = place(unit, node.operands[0]);
        const bool is_vector = kernel_[node.operands[1]].type.is_vector();
        const Word index = is_vector ? operand(unit, node, 1, lane) : operand(unit, node, 1) + lane;
        if (index >= static_cast<Word>(memory.count)) {
            fail(ErrorKind::Index, id, unit,
                 Message() << "index " << signed_of(index) << " is outside the " << memory.count << " elements of %"
                           << node.operands[0]);
        }
        if (!memory.touches.empty()) touch(unit, id, memory, index, use);
        return memory.data + index * size_of(memory.dtype);
    }

    void touch(const Unit& unit, NodeId id, Memory& memory, Word index, Use use) {
        Touch& touched = memory.touches[index];
        if (touched.epoch != epoch_) touched = {.epoch = epoch_};
        const auto by_another = [&](int who) { return who != Touch::kNobody && who != unit.index; };
        const auto joined = [&](int who) { return by_another(who) ? Touch::kMany : unit.index; };
        const bool both_atomic = use == Use::Atomic && touched.atomic;
        if ((by_another(touched.writer) && !both_atomic) || (use != Use::Read && by_another(touched.reader))) {
            fail(ErrorKind::Argument, id, unit,
                 Message() << "another unit " << (by_another(touched.writer) ? "wrote" : "read") << " element " << index
                           << " of %" << kernel_[id].operands[0] << " with no barrier in between");
        }
        if (use == Use::Read) {
            touched.reader = joined(touched.reader);
        } else {
            touched.atomic = use == Use::Atomic && (touched.atomic || touched.writer == Touch::kNobody);
            touched.writer = joined(touched.writer);
        }
    }

    bool is_on(const Unit& unit, const Node& node, std::size_t mask, std::size_t lane) const {
        return node.operand_count <= mask || operand(unit, node, mask, lane) != 0;
    }

    void load(Unit& unit, NodeId id) {
        const Node& node = kernel_[id];
        for (std::size_t lane = 0; lane < node.type.lanes; ++lane) {
            Word& result = unit.registers[slots_[id] + lane];
            result = is_on(unit, node, 2, lane) ? read_element(node.type.dtype, element(unit, id, lane, Use::Read)) : 0;
        }
    }

    void store(Unit& unit, NodeId id) {
        const Node& node = kernel_[id];
        const Type type = kernel_[node.operands[2]].type;
        for (std::size_t lane = 0; lane < type.lanes; ++lane) {
            if (!is_on(unit, node, 3, lane)) continue;
            write_element(type.dtype, element(unit, id, lane, Use::Write), operand(unit, node, 2, lane));
        }
    }

    void atomic(Unit& unit, NodeId id) {
        const Node& node = kernel_[id];
        const DType dtype = node.type.dtype;
        std::byte* const at = element(unit, id, 0, Use::Atomic);
        const Word before = read_element(dtype, at);
        write_element(dtype, at,
                      combine_bits(dtype, static_cast<Reduction>(node.immediate), before, operand(unit, node, 2)));
        unit.registers[slots_[id]] = before;
    }

    const Kernel& kernel_;
    std::vector<std::size_t> slots_;   // where a node's lanes stand in the registers
    std::vector<std::size_t> places_;  // which buffer or array a node is
    std::size_t register_count_ = 0;
    std::vector<Memory> buffers_, shared_, local_;
    std::vector<std::pair<NodeId, Word>> scalars_;
    std::vector<Unit> units_;
    std::int64_t cube_ = 0;
    std::uint32_t epoch_ = 0;
};

}  // namespace

void interpret(const Kernel& kernel, std::span<const BufferElements> buffers, std::span<const std::uint64_t> scalars,
               std::int64_t cube_begin, std::int64_t cube_end) {
    Interpreter interpreter(kernel, buffers, scalars);
    for (std::int64_t cube = cube_begin; cube < cube_end; ++cube) interpreter.run_cube(cube);
}

}  // namespace burn::kernel
