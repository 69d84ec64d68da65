"""CONTRIBUTING's "Add an operation", followed on a copy of the tree: one pointwise and one structured operation.

The copy is built; the gradient check, the layer checker and the table of operations must find both operations by themselves.

usage: add_operation.py SOURCE_ROOT WORK_FOLDER [CMAKE_OPTION...]
"""

import pathlib
import shutil
import subprocess
import sys

# file -> (a line that is there, what is added after it). These lines are all there is to it.
POINTWISE = {
    "burn/ops/pointwise.def": (
        "// ---- one operand",
        'POINTWISE(cube, 1, 0, Float, Same, a * a * a, (dy * 3 * a * a), Any, "a^3")\n',
    ),
}
STRUCTURED = {
    "burn/ops/scan.h": (
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
    "burn/ops/scan.cpp": (
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
""",
    ),
    "burn/ops/ops.def": ("// ---- scan.h", "OP(Differences)\n"),
    "burn/backends/ndarray/ndarray_ops.h": (
        "// ---- scan.cpp",
        "ops::Handle run(const ops::Differences& op, Args& args);\n",
    ),
    "burn/backends/ndarray/scan.cpp": (
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
    "tests/conformance/gradient_samples_reduce.cpp": (
        "void sample_reduce(GradientSamples& samples) {",
        '    sample_axis<ops::Differences>(samples, "differences");\n',
    ),
}


def insert_after(path, line, text):
    source = path.read_text()
    assert source.count(line) >= 1, f"{path} has no line {line!r}"
    place = source.index("\n", source.index(line)) + 1
    path.write_text(source[:place] + text + source[place:])


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, text=True, capture_output=True, **options).stdout


def main(root, work, *cmake_options):
    root, work = pathlib.Path(root), pathlib.Path(work)
    tree = work / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    for name in ["burn", "cmake", "tests", "examples", "bench"]:
        shutil.copytree(root / name, tree / name)
    for name in ["CMakeLists.txt", "LICENSE-MIT", "LICENSE-APACHE", "NOTICE", "README.md"]:
        shutil.copy(root / name, tree / name)
    (tree / "book").mkdir()

    for file, (line, text) in {**POINTWISE, **STRUCTURED}.items():
        insert_after(tree / file, line, text)

    build = work / "build"
    run("cmake", "-S", tree, "-B", build, "-G", "Ninja", *cmake_options)
    try:
        run("cmake", "--build", build, "--target", "conformance_test", "operations_table", "-j2")
    except subprocess.CalledProcessError as error:
        sys.exit(error.stdout[-4000:])

    table = tree / "book" / "operations.md"
    run(build / "tests/docs/operations_table", table, "--update")
    for name in ["cube", "differences"]:
        assert f"| {name} | 1 | yes |" in table.read_text(), f"the table of operations lacks {name}"
    output = run(build / "tests/conformance/conformance_test", "--gtest_filter=*Gradient*", cwd=tree)
    run(sys.executable, tree / "tests/style/layers.py", tree)
    print(output[-400:])
    lines = sum(len(text.strip().splitlines()) for _, text in STRUCTURED.values())
    print(f"pointwise: 1 line; structured: {lines} lines in {len(STRUCTURED)} files")


if __name__ == "__main__":
    main(*sys.argv[1:])
