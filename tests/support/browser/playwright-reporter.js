import { readFileSync } from "node:fs";
import path from "node:path";

const MAX_PAGE_LINES = 80;

/** Prints the page of each failed test as its accessibility tree, and ends with the command that runs the test alone. */
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
    const context = result.attachments.find(({ name }) => name === "error-context")?.path;
    if (context) console.log(`\n${test.title}:\n${readPage(context)}`);
  }

  onEnd() {
    if (this.commands.size > 0) console.log(`\nEach failed test alone:\n${[...this.commands].join("\n")}`);
  }
}

/**
 * Returns the part of the error context that shows the page.
 * @param {string} file
 */
function readPage(file) {
  const [, page = ""] = readFileSync(file, "utf8").split("```yaml\n");
  return page.split("\n```")[0]?.split("\n").slice(0, MAX_PAGE_LINES).join("\n") ?? "";
}
