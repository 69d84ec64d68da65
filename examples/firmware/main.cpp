#include "board.h"
#include "network.h"

extern "C" int main() {
    run_network(board_print);
    return 0;
}
