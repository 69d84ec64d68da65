#include <burn/backends/cpu/object_loader.h>

#include <elf.h>
#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <random>

#include "launch.h"

namespace burn::cpu::object_loader_test {
namespace {

/// x[i] = sin(x[i]) + number and so on: code, constants, a call of the C library's function.
kernel::Kernel sample(double number) {
    kernel::Builder k("sample");
    const kernel::Place x = k.buffer(DType::F64, kernel::Access::ReadWrite);
    const kernel::Value i = k.cube_index() * 4;
    x.store(i, sin(x.load(i, 4)) * number + 0.25);
    return k.finish();
}

std::vector<std::byte> compile(const kernel::Kernel& kernel) {
    std::vector<std::byte> object;
    Message error;
    EXPECT_TRUE(code_generator()->compile(kernel, object, error)) << error.text();
    return object;
}

void expect_sample(KernelFunction function, double number) {
    std::vector<double> values(8, 0.5);
    std::byte* buffers[] = {reinterpret_cast<std::byte*>(values.data())};
    const LaunchArguments arguments{buffers, nullptr};
    function(&arguments, 0, 2);
    EXPECT_EQ(values, std::vector<double>(8, std::sin(0.5) * number + 0.25));
}

/// The mapping of this program's memory that holds an address, as /proc/self/maps tells it.
std::string mapping_of(KernelFunction function) {
    const auto address = reinterpret_cast<std::uintptr_t>(function);
    std::ifstream file("/proc/self/maps");
    for (std::string line; std::getline(file, line);) {
        std::uintptr_t begin = 0, end = 0;
        if (std::sscanf(line.c_str(), "%zx-%zx", &begin, &end) == 2 && begin <= address && address < end) return line;
    }
    return "";
}

class ObjectLoaderTest : public testing::Test {
protected:
    void SetUp() override {
        if (!ObjectLoader::knows_processor()) GTEST_SKIP() << "no objects for this processor";
    }

    ObjectLoader loader_;
};

TEST_F(ObjectLoaderTest, LoadsTheKernelsOfEveryInstructionSet) {
    on_every_isa([&] {
        const std::vector<std::byte> object = compile(sample(3));
        const KernelFunction function = loader_.load(object);
        ASSERT_NE(function, nullptr);
        expect_sample(function, 3);
        EXPECT_TRUE(loader_.unload(function));
    });
}

TEST_F(ObjectLoaderTest, NoMemoryIsWrittenAndRun) {
    const KernelFunction function = loader_.load(compile(sample(3)));
    ASSERT_NE(function, nullptr);
    EXPECT_THAT(mapping_of(function), testing::HasSubstr(" r-xp "));
    EXPECT_TRUE(loader_.unload(function));
    EXPECT_EQ(mapping_of(function), "");
}

TEST_F(ObjectLoaderTest, AnObjectLoadsMoreThanOnce) {
    const std::vector<std::byte> object = compile(sample(3));
    const KernelFunction first = loader_.load(object), second = loader_.load(object);
    ASSERT_TRUE(first != nullptr && second != nullptr);
    EXPECT_NE(first, second);
    EXPECT_TRUE(loader_.unload(first));
    EXPECT_FALSE(loader_.unload(first));
    expect_sample(second, 3);
    EXPECT_TRUE(loader_.unload(second));
}

TEST_F(ObjectLoaderTest, WhatIsCutOffIsRefused) {
    const std::vector<std::byte> object = compile(sample(3));
    for (std::size_t size = 0; size < object.size(); ++size) {
        // In memory of its own, so that a read beyond the end is one that the sanitizers see.
        const std::vector<std::byte> cut(object.begin(), object.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_EQ(loader_.load(cut), nullptr) << size;
    }
}

TEST_F(ObjectLoaderTest, DamagedObjectsDoNoHarm) {
    const std::vector<std::byte> object = compile(sample(3));
    std::mt19937 random(1);
    for (int i = 0; i < 20000; ++i) {
        std::vector<std::byte> damaged = object;
        for (int k = 0; k < 3; ++k) damaged[random() % damaged.size()] = static_cast<std::byte>(random());
        const KernelFunction function = loader_.load(damaged);  // it may differ in the code alone: it is not run
        EXPECT_TRUE(function == nullptr || loader_.unload(function));
    }
}

/// The object with the first relocation of a loaded part changed.
template <class Change>
std::vector<std::byte> with_relocation(std::vector<std::byte> object, Change&& change) {
    Elf64_Ehdr header;
    std::memcpy(&header, object.data(), sizeof(header));
    for (std::size_t i = 0; i < header.e_shnum; ++i) {
        Elf64_Shdr section;
        std::memcpy(&section, object.data() + header.e_shoff + i * sizeof(section), sizeof(section));
        if (section.sh_type != SHT_RELA) continue;
        Elf64_Rela relocation;
        std::memcpy(&relocation, object.data() + section.sh_offset, sizeof(relocation));
        change(relocation);
        std::memcpy(object.data() + section.sh_offset, &relocation, sizeof(relocation));
        return object;
    }
    ADD_FAILURE() << "no relocation";
    return object;
}

TEST_F(ObjectLoaderTest, RelocationsThatItDoesNotKnowAreLeftToLlvm) {
    const std::vector<std::byte> object = compile(sample(3));
    const auto refuses = [&](auto change) { return loader_.load(with_relocation(object, change)) == nullptr; };
    EXPECT_FALSE(refuses([](Elf64_Rela&) {}));
    EXPECT_TRUE(refuses([](Elf64_Rela& r) { r.r_info = ELF64_R_INFO(ELF64_R_SYM(r.r_info), R_X86_64_TPOFF32); }));
    EXPECT_TRUE(refuses([](Elf64_Rela& r) { r.r_info = ELF64_R_INFO(1000000, ELF64_R_TYPE(r.r_info)); }));
    EXPECT_TRUE(refuses([](Elf64_Rela& r) { r.r_offset = ~std::uint64_t{0} - 1; }));
    EXPECT_TRUE(refuses([](Elf64_Rela& r) { r.r_addend = std::int64_t{1} << 40; }));
    const auto unknown =
        with_relocation(object, [](Elf64_Rela& r) { r.r_info = ELF64_R_INFO(ELF64_R_SYM(r.r_info), R_X86_64_NONE); });
    EXPECT_EQ(loader_.load(unknown), nullptr);
    Message error;
    const KernelFunction function = code_generator()->load(unknown, error);
    EXPECT_NE(function, nullptr) << error.text();
    if (function != nullptr) code_generator()->unload(function);
}

TEST_F(ObjectLoaderTest, AFunctionThatIsNotThereIsNotLinked) {
    std::vector<std::byte> object = compile(sample(3));
    constexpr std::string_view name = "burn_sin_f64";
    const std::string_view text(reinterpret_cast<const char*>(object.data()), object.size());
    const std::size_t at = text.find(name);
    if (at == std::string_view::npos) GTEST_SKIP() << "the sine is not called";
    object[at] = std::byte{'x'};
    EXPECT_EQ(loader_.load(object), nullptr);
}

}  // namespace
}  // namespace burn::cpu::object_loader_test
