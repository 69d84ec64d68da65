#pragma once

/// What the program needs of the board, through the debugger's semihosting calls.

/// Prints a text that ends in a zero.
void board_print(const char* text);
/// Ends the emulation with this exit status.
[[noreturn]] void board_exit(int status);
