#include <burn/backends/cpu/llvm/target.h>

#include <burn/backends/cpu/llvm/lower.h>
#include <burn/backends/cpu/object_symbols.h>
#include <burn/base/error.h>
#include <burn/kernel/builder.h>
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <thread>

namespace burn::cpu::codegen::target_test {
namespace {

using kernel::Access;
using kernel::Builder;
using kernel::NodeKind;
using kernel::Place;
using kernel::Value;

/// A kernel with every node that elements of `dtype` may go through, one after the other.
kernel::Kernel everything(DType dtype, std::uint16_t lanes, std::uint32_t units) {
    Builder k("everything", units, units);
    const Place x = k.buffer(dtype, Access::ReadWrite);
    const Value at = (k.cube_index() * static_cast<std::int64_t>(units) + k.unit_index()) * lanes,
                value = x.load(at, lanes);
    const Value mask = lower(k.iota(DType::I64, lanes), k.scalar(DType::I64));
    for (std::size_t i = 0; i < kernel::kNodeKinds; ++i) {
        const auto kind = static_cast<NodeKind>(i);
        if (kind < NodeKind::Add || kind > NodeKind::Ge) continue;
        try {
            const Value operands[] = {value, value, value};
            const Value result =
                k.emit_list(kind, {operands, static_cast<std::size_t>(kernel::info_of(kind).operands)});
            x.store_masked(at, kernel::cast(result, dtype), mask);
        } catch (const DTypeError&) {
            // Nodes that this type does not go into.
        }
    }
    for (int i = 0; i < kDTypeCount; ++i) {
        x.store(at, kernel::cast(kernel::cast(value, static_cast<DType>(i)), dtype));
    }
    x.store_masked(at + k.iota(DType::I64, lanes) * 2, x.load(at + k.iota(DType::I64, lanes) * 3), mask);
    if (is_numeric(dtype)) {
        x.atomic(kernel::Reduction::Sum, 0, reduce_lanes(value, kernel::Reduction::Prod));
        x.atomic(kernel::Reduction::Max, 1,
                 k.plane_reduce(reduce_lanes(value, kernel::Reduction::Max), kernel::Reduction::Sum));
    }
    k.barrier();
    return k.finish();
}

/// An ELF object that is read as far as tests want to know it.
class Object {
public:
    explicit Object(const std::vector<std::byte>& bytes) : bytes_(bytes) {
        const auto header = at<Elf64_Ehdr>(0);
        EXPECT_EQ(std::memcmp(header.e_ident, ELFMAG, SELFMAG), 0);
        machine = header.e_machine;
        for (std::size_t i = 0; i < header.e_shnum; ++i) {
            const auto section = at<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr));
            if (section.sh_type == SHT_SYMTAB) read_symbols(section, header);
        }
    }

    int machine = 0;
    std::vector<std::string> defined, wanted;

private:
    template <class T>
    T at(std::size_t offset) const {
        T value;
        std::memcpy(&value, &bytes_.at(offset), sizeof(T));
        return value;
    }

    void read_symbols(const Elf64_Shdr& table, const Elf64_Ehdr& header) {
        const auto names = at<Elf64_Shdr>(header.e_shoff + table.sh_link * sizeof(Elf64_Shdr));
        for (std::size_t offset = 0; offset < table.sh_size; offset += sizeof(Elf64_Sym)) {
            const auto symbol = at<Elf64_Sym>(table.sh_offset + offset);
            if (ELF64_ST_BIND(symbol.st_info) != STB_GLOBAL) continue;
            const std::string name = reinterpret_cast<const char*>(&bytes_.at(names.sh_offset + symbol.st_name));
            (symbol.st_shndx == SHN_UNDEF ? wanted : defined).push_back(name);
        }
    }

    const std::vector<std::byte>& bytes_;
};

std::vector<std::byte> compile(ObjectEmitter& emitter, const kernel::Kernel& kernel) {
    Ir ir(kernel.name.c_str(), emitter.target().traits);
    lower(kernel, ir);
    return emitter.emit(ir, kernel.units > 1);
}

void check_everything(const Target& target, int machine) {
    SCOPED_TRACE(target.triple + " " + target.cpu);
    ObjectEmitter emitter(target);
    for (int i = 0; i < kDTypeCount; ++i) {
        for (const std::uint16_t lanes : {1, 4}) {
            const std::vector<std::byte> bytes = compile(emitter, everything(static_cast<DType>(i), lanes, 1));
            const Object object(bytes);
            EXPECT_EQ(object.machine, machine);
            EXPECT_THAT(object.defined, testing::ElementsAre(kKernelSymbol));
            for (const std::string& name : object.wanted) {
                EXPECT_NE(find_function(name.c_str()), nullptr) << name << ", for " << name_of(static_cast<DType>(i));
            }
        }
    }
    const std::vector<std::byte> bytes = compile(emitter, everything(DType::F32, 4, 8));
    EXPECT_EQ(Object(bytes).machine, machine);
}

TEST(Target, ObjectsForArm64AskForNothingThatIsMissing) {
    // Compiled only: there is no such processor here to run them.
    Target target{.triple = "aarch64-unknown-linux-gnu", .cpu = "generic", .features = "+neon", .traits = {}};
    target.traits = {.vector_bytes = 16, .half_conversions = true};
    check_everything(target, EM_AARCH64);
}

TEST(Target, ObjectsForX86AskForNothingThatIsMissing) {
    Target target{.triple = "x86_64-unknown-linux-gnu", .cpu = "x86-64", .features = "", .traits = {}};
    target.traits = {.vector_bytes = 16, .half_conversions = false};
    check_everything(target, EM_X86_64);
    target.cpu = "x86-64-v4";
    target.traits = {.vector_bytes = 64, .half_conversions = true};
    check_everything(target, EM_X86_64);
}

TEST(Target, IdentitiesTellInstructionSetsApart) {
    std::vector<std::string> seen;
    for (const Isa isa : {Isa::Baseline, Isa::Avx2, Isa::Avx512}) {
        if (!isa_supported(isa)) continue;
        const Target target = host_target(isa);
        EXPECT_THAT(target.identity(), testing::HasSubstr("llvm 19"));
        EXPECT_THAT(seen, testing::Not(testing::Contains(target.identity())));
        seen.push_back(target.identity());
    }
}

TEST(Target, AnUnknownTargetIsAnError) {
    const Target target{.triple = "nonsense", .cpu = "", .features = "", .traits = {}};
    EXPECT_THROW(ObjectEmitter{target}, InternalError);
}

TEST(Target, ThreadsEmitAtTheSameTime) {
    ObjectEmitter emitter(host_target(active_isa()));
    const kernel::Kernel kernel = everything(DType::F32, 8, 1);
    const std::vector<std::byte> expected = compile(emitter, kernel);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 3; ++i) EXPECT_EQ(compile(emitter, kernel), expected) << "objects are reproducible";
        });
    }
    for (std::thread& thread : threads) thread.join();
}

TEST(Target, ArithmeticIsNotContractedAndNotReordered) {
    Builder k("product_and_sum");
    const Place x = k.buffer(DType::F32, Access::ReadWrite);
    x.store(0, x.load(0, 4) * x.load(4, 4) + x.load(8, 4));
    const kernel::Kernel kernel = k.finish();
    Ir ir("text", TargetTraits{});
    lower(kernel, ir);
    const std::string text = print_module(ir);
    EXPECT_THAT(text, testing::HasSubstr("= fmul <4 x float>"));
    EXPECT_THAT(text, testing::HasSubstr("= fadd <4 x float>"));
}

}  // namespace
}  // namespace burn::cpu::codegen::target_test
