// The table of all operations, book/operations.md, made from their declarations.
//
// usage: operations_table FILE            exit 1 unless FILE is the table as it should be
//        operations_table FILE --update   writes it

#include <burn/ops/all_ops.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using burn::ops::OpClass;
using burn::ops::OpKind;

struct Group {
    OpKind kind;
    const char* title;
};

constexpr Group kGroups[] = {
    {OpKind::Pointwise, "Pointwise"},
    {OpKind::View, "Views"},
    {OpKind::Move, "Joining, indexing, sorting"},
    {OpKind::Reduce, "Reductions and scans"},
    {OpKind::Contract, "Products and convolutions"},
    {OpKind::Create, "Creation"},
    {OpKind::Composite, "Composites: decomposed where a backend does not run them whole"},
};

std::string row(const OpClass& op) {
    std::string operands = op.info.inputs == burn::ops::kVariadic ? "any" : std::to_string(op.info.inputs);
    const char* gradient = op.gradient != nullptr ? "yes" : (op.decompose != nullptr ? "by parts" : "");
    return std::string("| ") + op.info.name + " | " + operands + " | " + gradient + " | " + op.info.doc + " |\n";
}

std::string table() {
    std::vector<const OpClass*> ops;
    burn::ops::for_each_op_class(
        [](const OpClass& op, void* list) { static_cast<std::vector<const OpClass*>*>(list)->push_back(&op); }, &ops);
    std::string text = "# Operations\n\nMade from the declarations in `burn/ops`; a test keeps it up to date.\n";
    std::size_t rows = 0;
    for (const Group& group : kGroups) {
        text += std::string("\n## ") + group.title + "\n\n| operation | operands | gradient | |\n|---|---|---|---|\n";
        for (const OpClass* op : ops) {
            if (op->info.kind == group.kind) text += row(*op), ++rows;
        }
    }
    if (rows != ops.size()) std::cerr << "an operation is of a kind without a group\n", std::exit(1);
    return text;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 2) return std::cerr << "usage: operations_table FILE [--update]\n", 2;
    const std::string wanted = table();
    if (count > 2 && std::strcmp(arguments[2], "--update") == 0) {
        return (std::ofstream(arguments[1], std::ios::binary) << wanted).flush() ? 0 : 1;
    }
    std::ifstream file(arguments[1], std::ios::binary);
    const std::string found{std::istreambuf_iterator<char>(file), {}};
    if (found == wanted) return 0;
    std::cerr << arguments[1] << " is not the table of the operations that exist; run\n  " << arguments[0] << ' '
              << arguments[1] << " --update\n";
    return 1;
}
