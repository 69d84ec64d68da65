#include <burn/base/error.h>
#include <burn/kernel/builder.h>
#include <burn/kernel/text.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "tests/fuzz/mutator.h"
#include "tests/kernel/random_kernel.h"

namespace burn::kernel::text_test {
namespace {

/// The message that reading `text` raises.
std::string fault(std::string_view text) {
    try {
        parse(text);
    } catch (const ParseError& error) {
        return error.what();
    }
    return "none";
}

/// A kernel's text with these lines as its body.
std::string with_body(const std::string& lines) { return "kernel k(units 1, plane 1) {\n" + lines + "}\n"; }

TEST(Text, PrintsEveryForm) {
    Builder k("every_form", 8, 4);
    const Place x = k.buffer(DType::F32, Access::ReadWrite);
    const Value bound = k.scalar(DType::F32);
    const Place shared = k.shared_array(DType::F32, 8);
    const Value unit = k.unit_index();
    shared.store(unit, x.load(unit));
    k.barrier();
    const Value sum = k.plane_reduce(shared.load(unit), Reduction::Sum);
    k.if_else(lower(sum, bound), [&] { x.store(unit, sum * 0.5); }, [&] { x.atomic(Reduction::Max, 0, sum); });
    const Variable left = k.variable({kIndex, 1}, 3);
    k.while_loop([&] { return greater(left, 0); }, [&] { left = left - 1; });
    k.for_loop(0, 8, 4, [&](Value i) {
        x.prefetch(i, Access::Write);
        x.store(i, sqrt(x.load(i, 4)));
    });
    EXPECT_EQ(print(k.finish()), R"(kernel every_form(units 8, plane 4) {
  %0: f32 = buffer readwrite
  %1: f32 = scalar
  %2: f32 = shared_array 8
  %3: i64 = unit_index
  %4: f32 = load %0, %3
  store %2, %3, %4
  barrier
  %7: f32 = load %2, %3
  %8: f32 = plane_reduce %7, sum
  %9: bool = lt %8, %1
  if %9 {
    %11: f32 = constant 0.5
    %12: f32 = mul %8, %11
    store %0, %3, %12
  } else {
    %14: i64 = constant 0
    %15: f32 = atomic %0, %14, %8, max
  }
  %16: i64 = constant 3
  %17: i64 = variable %16
  while {
    %19: i64 = get %17
    %20: i64 = constant 0
    %21: bool = gt %19, %20
    continue_if %21
  } do {
    %23: i64 = get %17
    %24: i64 = constant 1
    %25: i64 = sub %23, %24
    set %17, %25
  }
  %27: i64 = constant 0
  %28: i64 = constant 8
  %29: i64 = constant 4
  %30: i64 = for %27, %28, %29 {
    prefetch %0, %30, write
    %32: f32x4 = load %0, %30
    %33: f32x4 = sqrt %32
    store %0, %30, %33
  }
}
)");
}

TEST(Text, ReadsWhatAPersonWrote) {
    const Kernel kernel = parse(R"(
        // y = 2 x
        kernel twice (units 1, plane 1) {
            %100: f32 = buffer read
            %7: f32 = buffer write   // the result

            %3: i64 = cube_index
            %2: f32x8 = load %100, %3
            %1: f32x8 = add %2, %2
            store %7, %3, %1
        })");
    Builder k("twice");
    const Place x = k.buffer(DType::F32, Access::Read), y = k.buffer(DType::F32, Access::Write);
    const Value i = k.cube_index(), a = x.load(i, 8);
    y.store(i, a + a);
    EXPECT_EQ(kernel, k.finish());
}

TEST(Text, EveryBitOfANumberSurvives) {
    for (int d = 0; d < kDTypeCount; ++d) {
        const auto dtype = static_cast<DType>(d);
        std::vector<std::uint64_t> numbers;
        for (const double number : {0.0, -0.0, 1.0, -1.0, 0.1, 1e-45, 1e-310, 3.4e38, 1.7e308}) {
            if (is_float(dtype) || std::abs(number) <= 1) numbers.push_back(element_bits(dtype, number));
        }
        if (is_float(dtype)) {
            const std::uint64_t infinity = element_bits(dtype, std::numeric_limits<double>::infinity());
            for (const std::uint64_t payload : {0, 1, 2, 9}) numbers.push_back(infinity + payload);
            const std::uint64_t sign = 1ull << (size_of(dtype) * 8 - 1);
            for (const std::uint64_t payload : {0, 1, 2, 9}) numbers.push_back((infinity | sign) + payload);
        } else {
            for (const std::int64_t number : {INT64_MIN, INT64_MAX, std::int64_t{-1}, std::int64_t{1} << 31}) {
                numbers.push_back(element_bits(dtype, number));
            }
        }
        Kernel kernel;
        kernel.name = "numbers";
        for (const std::uint64_t bits : numbers) {
            kernel.blocks[0].push_back(static_cast<NodeId>(kernel.nodes.size()));
            Node constant;
            constant.type = {dtype, 1};
            constant.immediate = bits;
            kernel.nodes.push_back(constant);
        }
        EXPECT_EQ(parse(print(kernel)), kernel) << print(kernel);
    }
}

TEST(Text, NumbersMayBeWrittenInMoreWays) {
    const auto bits = [](const std::string& type, const std::string& number) {
        return parse(with_body("%0: " + type + " = constant " + number + "\n")).nodes[0].immediate;
    };
    EXPECT_EQ(bits("f32", "1"), 0x3f800000u);
    EXPECT_EQ(bits("f32", "1e3"), element_bits(DType::F32, 1000.0));
    EXPECT_EQ(bits("f32", "0xff800000"), element_bits(DType::F32, -std::numeric_limits<double>::infinity()));
    EXPECT_EQ(bits("i8", "0xff"), element_bits(DType::I8, std::int64_t{-1}));
    EXPECT_EQ(bits("u64", "18446744073709551615"), ~0ull);
    EXPECT_EQ(bits("bool", "true"), 1u);
    for (const auto& [type, number] : std::initializer_list<std::array<const char*, 2>>{{"f32", "1e39"},
                                                                                        {"f32", "nan"},
                                                                                        {"f32", "1.0f"},
                                                                                        {"f16", "70000"},
                                                                                        {"bf16", "3.4e38"},
                                                                                        {"i8", "128"},
                                                                                        {"i8", "0x100"},
                                                                                        {"u8", "-1"},
                                                                                        {"i32", "1.5"},
                                                                                        {"bool", "2"},
                                                                                        {"f64", "0x"},
                                                                                        {"f64", ""}}) {
        EXPECT_THAT(fault(with_body("%0: " + std::string(type) + " = constant " + number + "\n")),
                    testing::HasSubstr("line 2: expected a number of type " + std::string(type)));
    }
}

/// A random kernel comes back equal, and all kinds of nodes are met on the way.
TEST(Text, EveryKindOfNodeComesBackEqual) {
    std::array<int, kNodeKinds> met{};
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Kernel kernel = random_kernel(seed, 100);
        const std::string text = print(kernel);
        ASSERT_EQ(parse(text), kernel) << text;
        for (const Node& node : kernel.nodes) ++met[static_cast<std::size_t>(node.kind)];
    }
    for (std::size_t i = 0; i < kNodeKinds; ++i) EXPECT_GT(met[i], 0) << info_of(static_cast<NodeKind>(i)).text;
}

TEST(Text, OtherNumberingsBecomeThatOfTheText) {
    Builder k("late");
    const Value one = k.constant(DType::F32, 1);
    const Place x = k.buffer(DType::F32, Access::Write);
    x.store(0, one);
    const Kernel kernel = k.finish(), read = parse(print(kernel));
    EXPECT_NE(read, kernel) << "the buffer comes first in the text";
    EXPECT_EQ(parse(print(read)), read);
}

TEST(Text, FaultsNameLineAndExpectation) {
    EXPECT_EQ(fault(""), "kernel text: line 1: expected 'kernel', found the end of the text");
    EXPECT_EQ(fault("kernel k(units 1, plane 1) {"),
              "kernel text: line 1: expected the end of the line, found the end of the text");
    EXPECT_EQ(fault("kernel k(units -1, plane 1) {"), "kernel text: line 1: expected a number of units, found '-1'");
    EXPECT_EQ(fault("kernel \"k"), "kernel text: line 1: expected '\"', found the end of the text");
    EXPECT_EQ(fault(with_body("") + "more"), "kernel text: line 3: expected nothing more, found 'more'");
    const auto body_fault = [](const std::string& lines) {
        const std::string message = fault(with_body(lines)), start = "kernel text: line ";
        return message.starts_with(start) ? message.substr(start.size()) : message;
    };
    const std::string f = "%0: f32 = constant 1\n", b = "%2: bool = constant true\n";
    EXPECT_EQ(body_fault("%0: f33 = constant 1\n"),
              "2: expected a type such as f32 or f32x8, of at most 64 lanes, found 'f33'");
    EXPECT_EQ(body_fault("%0: f32x65 = constant 1\n"),
              "2: expected a type such as f32 or f32x8, of at most 64 lanes, found 'f32x65'");
    EXPECT_EQ(body_fault("%0: f32x1 = constant 1\n"),
              "2: expected a type such as f32 or f32x8, of at most 64 lanes, found 'f32x1'");
    EXPECT_EQ(body_fault("%0: f32 = konstant 1\n"), "2: expected the name of a node, found 'konstant'");
    EXPECT_EQ(body_fault("%x: f32 = constant 1\n"), "2: expected a node's number, found 'x'");
    EXPECT_EQ(body_fault("%4294967296: f32 = constant 1\n"), "2: expected a node's number, found '4294967296'");
    EXPECT_EQ(body_fault("%0 f32 = constant 1\n"), "2: expected ':', found 'f32'");
    EXPECT_EQ(body_fault(f + f), "3: %0 is defined twice");
    EXPECT_EQ(body_fault(f + "%1: f32 = add %0, %2\n"), "3: %2 is not defined before its use");
    EXPECT_EQ(body_fault(f + "%1: f32 = add %0\n"), "3: expected ',', found the end of the line");
    EXPECT_EQ(body_fault(f + "%1: f32 = neg %0, %0\n"), "3: expected the end of the line, found ','");
    EXPECT_EQ(body_fault(f + "%1: f64 = neg %0\n"), "3: %1 is f64, but its neg is f32");
    EXPECT_EQ(body_fault(f + "neg %0\n"), "3: neg needs a %number: f32 =");
    EXPECT_EQ(body_fault("%0: f32 = barrier\n"), "2: %0 is f32, but its barrier is no value");
    EXPECT_EQ(body_fault(f + "%1: f32 = buffer read\n"), "3: buffer: parameters come before all else");
    EXPECT_EQ(body_fault("%0: f32 = buffer append\n"), "2: expected read, write, readwrite, found 'append'");
    EXPECT_EQ(body_fault(f + "%1: f32 = reduce_lanes %0, mean\n"),
              "3: expected sum, prod, min, max, and, or, found 'mean'");
    EXPECT_EQ(body_fault(f + "%1: f32 = extract %0, first\n"), "3: expected a lane's number, found 'first'");
    EXPECT_EQ(body_fault("%0: f32 = local_array many\n"), "2: expected a number of elements, found 'many'");
    EXPECT_EQ(body_fault(b + "if %2\n"), "3: expected '{', found the end of the line");
    EXPECT_EQ(body_fault(b + "if %2 {\n} or {\n}\n"), "4: expected 'else', found 'or'");
    EXPECT_EQ(body_fault("while {\n" + b + "continue_if %2\n}\n"), "5: expected 'do', found the end of the line");
    EXPECT_EQ(body_fault("barrier }\n"), "2: expected the end of the line, found '}'");
}

TEST(Text, FaultsOfTheKernelAreThoseOfTheVerifier) {
    EXPECT_THROW(parse("kernel k(units 3, plane 2) {\n}\n"), ArgumentError);
    EXPECT_THROW(parse(with_body("%0: i32 = constant 1\n%1: i32 = sqrt %0\n")), DTypeError);
    EXPECT_THROW(parse(with_body("%0: bool = constant true\nif %0 {\n%1: i32 = constant 1\n}\n%2: i32 = neg %1\n")),
                 ArgumentError);
    EXPECT_THROW(parse(with_body("%0: f32 = shared_array 0\n")), ArgumentError);
}

TEST(Text, DepthAndSizeAreLimited) {
    const auto nested = [](int depth) {
        std::string text = "%0: bool = constant true\n";
        for (int i = 0; i < depth; ++i) text += "if %0 {\n";
        for (int i = 0; i < depth; ++i) text += "}\n";
        return with_body(text);
    };
    EXPECT_EQ(print(parse(nested(kMaxDepth))), print(parse(print(parse(nested(kMaxDepth))))));
    EXPECT_EQ(fault(nested(kMaxDepth + 1)), "kernel text: line 67: blocks nest deeper than 64");
    EXPECT_THAT(fault(nested(100'000)), testing::HasSubstr("blocks nest deeper than 64"));
    EXPECT_THAT(fault(std::string((16 << 20) + 1, '\n')), testing::HasSubstr("at most 16777216"));
    std::string barriers;
    for (int i = 0; i <= 1 << 20; ++i) barriers += "barrier\n";
    EXPECT_THAT(fault(with_body(barriers)), testing::HasSubstr("more than 1048576 nodes"));
}

/// Damaged text is refused with a typed error or read as another kernel, which then comes back equal.
TEST(Text, DamagedTextNeverCrashes) {
    std::vector<std::string> words;
    words.reserve(kNodeKinds);
    for (std::size_t i = 0; i < kNodeKinds; ++i) words.emplace_back(info_of(static_cast<NodeKind>(i)).text);
    for (const char* word : {"{", "}", "else", "do", "%0", "f32", "bool", "i64", ",", "\n", "0x", "inf", "//"}) {
        words.emplace_back(word);
    }
    fuzz::Random random(1);
    int read = 0, refused = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const std::string text = print(random_kernel(seed, 40)), other = print(random_kernel(seed + 1000, 40));
        for (int i = 0; i < 40; ++i) {
            const std::string damaged = fuzz::mutated(random, text, other, words);
            try {
                const Kernel kernel = parse(damaged);
                ASSERT_EQ(parse(print(kernel)), kernel) << damaged;
                ++read;
            } catch (const ParseError&) {
                ++refused;
            } catch (const DTypeError&) {
                ++refused;
            } catch (const ArgumentError&) {
                ++refused;
            }
        }
    }
    EXPECT_GT(read, 20);
    EXPECT_GT(refused, 1000);
}

TEST(Text, PrintsWhatTheVerifierRefusesToo) {
    Kernel kernel = random_kernel(5, 60);
    fuzz::Random random(2);
    for (int i = 0; i < 200; ++i) {
        Kernel wrong = kernel;
        Node& node = wrong.nodes[random.below(wrong.nodes.size())];
        node.immediate = random.next();
        node.operands[random.below(4)] = static_cast<NodeId>(random.next());
        node.operand_count = static_cast<std::uint8_t>(random.below(9));
        node.blocks[random.below(2)] = static_cast<BlockId>(random.below(wrong.blocks.size() + 3));
        wrong.blocks[random.below(wrong.blocks.size())].push_back(static_cast<NodeId>(random.below(1000)));
        EXPECT_GT(print(wrong).size(), 100u);
    }
}

}  // namespace
}  // namespace burn::kernel::text_test
