import path from "node:path";

/** Ends the run with the command that runs each failed test alone. */
export default class FailureCommands {
  /** @type {Set<string>} */
  commands = new Set();

  /**
   * @param {import("playwright/types/testReporter").TestCase} test
   * @param {import("playwright/types/testReporter").TestResult} result
   */
  onTestEnd(test, result) {
    if (result.status === test.expectedStatus) return;
    const file = path.relative(process.cwd(), test.location.file);
    const project = test.parent.project()?.name;
    this.commands.add(`npx playwright test ${file}:${test.location.line} --project "${project}"`);
  }

  onEnd() {
    if (this.commands.size > 0) console.log(`\nEach failed test alone:\n${[...this.commands].join("\n")}`);
  }
}
