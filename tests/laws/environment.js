// What the shell says reaches the program: which share of the tests it is to run (scripts/test).
Module.preRun = () => Object.assign(ENV, process.env);
