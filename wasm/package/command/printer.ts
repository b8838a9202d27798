import { jsonOf } from "../model/model.js";
import type { Report } from "../types/types.js";
import type { Result } from "./command.js";
import type { CommandBinding, CommandLine, Printing } from "./command_binding.js";
import { lookAt, type Stream } from "./terminal.js";

const kWrong = 2;

/** Prints the results of a command, each when it is there: results to standard output, diagnostics to standard error. */
export class Printer {
  #binding: CommandBinding;
  #line: CommandLine | null;
  #printing: Printing;
  #results: Stream;
  #status = 0;
  #count = 0;

  /** `line`: null if it is wrong. */
  constructor(binding: CommandBinding, line: CommandLine | null, printing: Printing) {
    this.#binding = binding;
    this.#line = line;
    this.#printing = printing;
    this.#results = line?.toStandardOutput ? process.stderr : process.stdout;
  }

  add(path: string, { reports, status }: Result): void {
    const report = this.#binding.merge(`[${reports.map(jsonOf).join()}]`);
    const isAnswer = status < kWrong || reports.some((each) => "verdict" in each);
    if (this.#printing.json) this.#printJson(report);
    else this.#print(path, report, isAnswer);
    this.#status = Math.max(this.#status, status);
  }

  /** Ends the JSON. Returns the worst exit status. */
  finish(): number {
    if (this.#printing.json) process.stdout.write(this.#isOneOfSeveral ? "]}\n" : "\n");
    return this.#status;
  }

  get #isOneOfSeveral(): boolean {
    return (this.#line?.paths.length ?? 0) > 1;
  }

  // Prints one object for several models: {"verb", "model": "", "diagnostics": [], "reports": [...]}.
  #printJson(report: string): void {
    if (this.#isOneOfSeveral) {
      const all: Report = { verb: this.#line!.verb, model: "", diagnostics: [] };
      process.stdout.write(this.#count++ > 0 ? "," : `${JSON.stringify(all).slice(0, -1)},"reports":[`);
    }
    process.stdout.write(report);
  }

  #print(path: string, report: string, isAnswer: boolean): void {
    const look = lookAt(this.#results, this.#printing);
    const several = this.#isOneOfSeveral;
    if (several) this.#results.write(this.#binding.heading(path, look));
    if (this.#printing.github) this.#results.write(this.#binding.annotations(report, look, path));
    else
      process.stderr.write(
        this.#binding.diagnostics(report, lookAt(process.stderr, this.#printing), several ? path : ""),
      );
    if (isAnswer) this.#results.write(this.#binding.text(report, look));
  }
}
