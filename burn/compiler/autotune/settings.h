#pragma once

#include <string>

namespace burn::autotune {

/// Where choices among candidates come from.
enum class Tuning {
    Off,   ///< a formula and a table that the library ships
    Kept,  ///< what was measured before on this machine; where nothing was, as Off
    On,    ///< the same, and what was not measured yet is measured at its first use
};

struct Settings {
    Tuning tuning = Tuning::Off;
    /// The same choice on every run: nothing is measured, nothing that was is looked at, and only candidates run that give the
    /// same bits whatever the number of threads.
    bool deterministic = false;
    /// The name of a candidate that comes first wherever it can run: for comparing candidates. Empty: none.
    std::string wanted = {};
    double seconds_per_problem =
        0.25;                    ///< that measuring one problem may take, besides the first run of each candidate
    double seconds_in_all = 60;  ///< that a family of candidates may spend on measuring in one program
};

/// What the environment variables BURN_AUTOTUNE (off, kept, on), BURN_DETERMINISTIC (a switch) and BURN_CANDIDATE (a name) say
/// now.
Settings settings_of_environment();

/// The settings of the program; until they are set, those of the environment.
///
/// Thread    any
Settings settings();
void set_settings(const Settings& settings);

/// Whether choices are only made by table and formula, any candidate allowed: what is not worth asking a tuner about need not be
/// then.
bool choices_are_shipped();

}  // namespace burn::autotune
