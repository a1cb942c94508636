import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** The text of a file of the project. */
export function read(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}

/** The paths of all files below a folder of the project. */
export function filesBelow(folder: string): string[] {
  return (
    readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
      // What `npm run bench` installs is not of the project.
      .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
      .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))
  );
}

/** How many lines each test of a file has. A formatted one ends at the first line that closes it with its indentation. */
export function testLengths(file: string): { test: string; lines: number }[] {
  const lines = read(file).split("\n");
  return lines.flatMap((line, start) => {
    const [, indentation] = /^( *)(?:test|it)(?:\.\w+)*[(<`]/.exec(line) ?? [];
    if (indentation === undefined) return [];
    const end = lines.findIndex((each, at) => at >= start && new RegExp(`^${indentation}\\S.*;$`).test(each));
    return [{ test: `${file}:${start + 1}`, lines: end - start + 1 }];
  });
}
