#include <burn/core/shape.h>

#include <cstdio>

int main() {
    const burn::Shape shape{2, 3};
    std::printf("outside: %d\n", static_cast<int>(shape.numel()));
}
