"""CONTRIBUTING's "Add an operation", followed on a copy of the tree: one pointwise and one structured operation.

The copy is built. While the structured operation lacks its samples the conformance suite must say so; with them it must pass,
and the methods of tensors, the layer checker and the table of operations must know both operations.

usage: add_operation.py SOURCE_ROOT WORK_FOLDER [CMAKE_OPTION...]
"""

import pathlib
import shutil
import subprocess
import sys

# (file, a line that is there, what is added after it): these lines are all there is to it.
POINTWISE = [
    (
        "burn/ops/pointwise.def",
        "// ---- one operand",
        'POINTWISE(cube, 1, 0, Float, Same, a * a * a, (dy * 3 * a * a), Any, "a^3")\n',
    ),
]
STRUCTURED = [
    (
        "burn/ops/scan.h",
        "namespace burn::ops {",
        """
/// Differences of neighbours.
///
///   y[.., i, ..] = x[.., i + 1, ..] - x[.., i, ..]
///
/// Shapes    x [.., n, ..] -> y [.., n - 1, ..]
/// Errors    DTypeError on Bool; IndexError when the axis is out of range; ShapeError when it is empty
struct Differences {
    std::int64_t axis = 0;

    static constexpr OpInfo info{.name = "differences", .doc = "differences of neighbours", .kind = OpKind::Reduce, .inputs = 1};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("axis", self.axis); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};
""",
    ),
    (
        "burn/ops/scan.cpp",
        "BURN_DEFINE_OP(CumSum)",
        """BURN_DEFINE_OP(Differences)

SpecList Differences::infer(std::span<const TensorSpec> inputs) {
    require_numeric(inputs[0], info.name);
    const std::size_t place = normalize_axis(axis, inputs[0].rank(), info.name);
    axis = static_cast<std::int64_t>(place);
    Shape shape = inputs[0].shape;
    if (shape[place] == 0) raise(ErrorKind::Shape, Message() << "differences: axis " << axis << " of " << shape << " is empty");
    --shape[place];
    return {TensorSpec{shape, inputs[0].dtype}};
}

void Differences::gradient(GradScope& scope) const {
    Dims none = Dims::filled(scope.input_spec(0).rank(), 0);
    Dims one = none;
    one[static_cast<std::size_t>(axis)] = 1;
    scope.dx(0) = sub(pad(scope.dy(), one, none, PadMode::Constant, 0), pad(scope.dy(), none, one, PadMode::Constant, 0));
}

Handle differences(Handle x, std::int64_t axis) { return apply_one(Differences{axis}, list_of(std::move(x))); }
""",
    ),
    (
        "burn/ops/scan.h",
        "Handle cumsum(",
        "Handle differences(Handle x, std::int64_t axis);\n",
    ),
    ("burn/ops/ops.def", "// ---- scan.h", "OP(Differences)\n"),
    (
        "burn/backends/ndarray/ndarray_ops.h",
        "// ---- scan.cpp",
        "ops::Handle run(const ops::Differences& op, Args& args);\n",
    ),
    (
        "burn/backends/ndarray/reduction/scan.cpp",
        "#include <burn/backends/ndarray/strided.h>",
        """#include <burn/core/convert.h>

namespace burn::ndarray {

ops::Handle run(const ops::Differences& op, Args& args) {
    const auto axis = static_cast<std::size_t>(op.axis);
    const NdTensor& x = args.input(0);
    const Layout first = x.layout().slice(axis, 0, args.result_spec().shape[axis], 1);
    const Layout second = x.layout().slice(axis, 1, args.result_spec().shape[axis], 1);
    ops::Handle result = args.make_result();
    visit_dtype(x.spec().dtype, [&]<class T>(T) {
        StridedLoop loop(args.result_spec().shape);
        loop.add(NdTensor::of(result).block()->data(), NdTensor::of(result).layout(), sizeof(T));
        loop.add(x.block()->data(), first, sizeof(T));
        loop.add(x.block()->data(), second, sizeof(T));
        loop.run([](const StridedRun& run) {
            const auto at = [&run](std::size_t tensor, std::int64_t i) -> T& {
                return *reinterpret_cast<T*>(run.data[tensor] + i * run.strides[tensor]);
            };
            for (std::int64_t i = 0; i < run.count; ++i) {
                at(0, i) = convert_element<T>(convert_element<double>(at(2, i)) - convert_element<double>(at(1, i)));
            }
        });
    });
    return result;
}

}  // namespace burn::ndarray
""",
    ),
    (
        "burn/tensor/indexing_methods.inc",
        "BURN_METHOD(Tensor, cumsum(",
        "    BURN_METHOD(Tensor, differences(std::int64_t axis), requires NumericKind<K>, ops::differences(std::move(self), axis))\n",
    ),
]
SAMPLES = [
    (
        "tests/conformance/gradient_samples_reduce.cpp",
        "void sample_reduce(GradientSamples& samples) {",
        '    sample_axis<ops::Differences>(samples, "differences");\n',
    ),
    (
        "tests/conformance/wrong_calls.cpp",
        "void add_wrong_reductions(WrongCalls& calls) {",
        """    add_wrong_axis<ops::Differences>(calls, DType::F32);
    calls.push_back({ops::Differences{0}, {boolean({2})}, kDType, "bool"});
    calls.push_back({ops::Differences{1}, {f32({2, 0})}, kShape, "axis 1 of \\\\[2, 0\\\\] is empty"});
""",
    ),
]
# Takes the place of a program that is there, so that no CMakeLists.txt changes.
USER_PROGRAM = "tests/docs/readme_tensors.cpp"
USER = """#include <burn/backends/ndarray/ndarray.h>
#include <burn/tensor/print.h>
#include <burn/tensor/tensor.h>

#include <iostream>

int main() {
    const auto x = burn::Tensor<burn::NdArray, 1>::from({1.0f, 2.0f, 4.0f}, {});
    std::cout << x.cube().differences(0);
}
"""


def insert_after(tree, file, line, text):
    path = tree / file
    source = path.read_text()
    assert source.count(line) >= 1, f"{path} has no line {line!r}"
    place = source.index("\n", source.index(line)) + 1
    path.write_text(source[:place] + text + source[place:])


def outcome(*command, **options):
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True, **options)
    return done.returncode, done.stdout + done.stderr


def run(*command, **options):
    code, output = outcome(*command, **options)
    if code != 0:
        sys.exit(f"{' '.join(str(part) for part in command)}: exit {code}\n{output[-8000:]}")
    return output


def main(root, work, *cmake_options):
    root, work = pathlib.Path(root), pathlib.Path(work)
    tree, build = work / "tree", work / "build"
    shutil.rmtree(tree, ignore_errors=True)
    for name in ["burn", "cmake", "tests", "examples", "bench"]:
        shutil.copytree(root / name, tree / name)
    for name in ["CMakeLists.txt", "LICENSE-MIT", "LICENSE-APACHE", "NOTICE", "README.md"]:
        shutil.copy(root / name, tree / name)
    (tree / "book").mkdir()
    for addition in POINTWISE + STRUCTURED:
        insert_after(tree, *addition)
    (tree / USER_PROGRAM).write_text(USER)
    run("cmake", "-S", tree, "-B", build, "-G", "Ninja", *cmake_options)

    def build_target(name):
        run("cmake", "--build", build, "--target", name, "-j2")

    suite = [build / "tests/conformance/conformance_test", "--gtest_brief=1"]
    build_target("conformance_test")
    code, output = outcome(*suite, cwd=tree)
    for complaint in ["differences has a gradient, but no sample", "differences has no wrong call"]:
        assert code != 0 and complaint in output, f"the suite does not say: {complaint}\n{output[-4000:]}"
    assert "cube" not in output, f"the pointwise operation lacks something:\n{output[-4000:]}"

    for addition in SAMPLES:
        insert_after(tree, *addition)
    build_target("conformance_test")
    print(run(*suite, cwd=tree).strip())

    build_target("readme_tensors")
    output = run(build / "tests/docs/readme_tensors")
    assert "[7.0, 56.0]" in output, f"expected 2^3 - 1^3 and 4^3 - 2^3:\n{output}"

    build_target("operations_table")
    table = tree / "book" / "operations.md"
    run(build / "tests/docs/operations_table", table, "--update")
    for name in ["cube", "differences"]:
        assert f"| {name} | 1 | yes |" in table.read_text(), f"the table of operations lacks {name}"
    run(sys.executable, "-B", tree / "tests/style/layers.py", tree)

    lines, files = sum(len(text.strip().splitlines()) for _, _, text in STRUCTURED), {file for file, _, _ in STRUCTURED}
    print(f"pointwise: 1 line; structured: {lines} lines in {len(files)} files")


if __name__ == "__main__":
    main(*sys.argv[1:])
