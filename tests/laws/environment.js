// Passes the shell's environment to the program: the share of the tests to run (scripts/test).
Module.preRun = () => Object.assign(ENV, process.env);
