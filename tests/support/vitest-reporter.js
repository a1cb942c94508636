import path from "node:path";

/** Ends the run with the command that runs each failed test alone. */
export default class FailureCommands {
  /** @param {readonly import("vitest/node").TestModule[]} modules */
  onTestRunEnd(modules) {
    const commands = modules.flatMap((module) => {
      const file = path.relative(process.cwd(), module.moduleId);
      const command = `npx vitest run --project ${module.project.name} ${file}`;
      const failed = [...module.children.allTests("failed")];
      if (failed.length === 0 && !module.ok()) return [command];
      return failed.map((test) => `${command} -t ${quote(patternOf(test))}`);
    });
    if (commands.length > 0) console.log(`\nEach failed test alone:\n${commands.join("\n")}`);
  }
}

/**
 * Vitest compares with the names of the test and of what it stands in, one space between them.
 * @param {import("vitest/node").TestCase} test
 */
function patternOf(test) {
  const names = [test.name];
  for (let place = test.parent; place.type === "suite"; place = place.parent) names.unshift(place.name);
  return `^${names.join(" ").replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`;
}

/** @param {string} words */
function quote(words) {
  return `'${words.replaceAll("'", String.raw`'\''`)}'`;
}
