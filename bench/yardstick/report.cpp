#include <bench/yardstick/report.h>

#include <algorithm>

namespace burn::bench {

namespace {

void write_text(std::FILE* file, const char* key, const std::string& text) {
    if (text.empty()) return;
    std::fprintf(file, ", \"%s\": \"", key);
    for (const char character : text) {
        if (character == '"' || character == '\\') std::fputc('\\', file);
        std::fputc(character < ' ' && character >= 0 ? ' ' : character, file);
    }
    std::fputc('"', file);
}

}  // namespace

double floor_us(const Row& row) {
    const Rates& rates = row.rates;
    const double moving = row.bytes / rates.copied_bytes;
    const double computing = row.operations / rates.operations + row.transcendentals / rates.transcendentals;
    return std::max(moving, computing) * 1e6;
}

void print_header() {
    std::printf("%-32s %12s %12s %12s %8s %9s %9s\n", "case", "median us", "best us", "floor us", "of floor", "GB/s",
                "GFLOP/s");
}

void print(const Row& row) {
    if (!row.error.empty()) {
        std::printf("%-32s FAILED: %s\n", row.name.c_str(), row.error.c_str());
    } else {
        const double us = row.timing.median_us, floor = floor_us(row);
        std::printf("%-32s %12.1f %12.1f %12.1f %7.0f%% %9.1f %9.1f\n", row.name.c_str(), us, row.timing.best_us, floor,
                    100 * floor / us, row.bytes / us * 1e-3, row.operations / us * 1e-3);
    }
    std::fflush(stdout);
}

void write_json(std::FILE* file, const Row& row) {
    std::fprintf(file, "{\"case\": \"%s\"", row.name.c_str());
    if (row.error.empty()) {
        std::fprintf(file, ", \"us\": %.3f, \"best_us\": %.3f, \"calls\": %d", row.timing.median_us, row.timing.best_us,
                     row.timing.calls);
    }
    std::fprintf(
        file, ", \"floor_us\": %.3f, \"flops\": %.0f, \"bytes\": %.0f, \"transcendentals\": %.0f, \"peak_mib\": null",
        floor_us(row), row.operations, row.bytes, row.transcendentals);
    write_text(file, "note", row.note);
    write_text(file, "error", row.error);
    std::fputc('}', file);
}

}  // namespace burn::bench
