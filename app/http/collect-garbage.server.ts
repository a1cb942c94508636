import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Gives back what only the start needed: the room for short-lived things, which grew while everything was loaded and the
 * public pages were made, and what is left of those. Holds the process for some 50 ms, once; later it may grow as it likes.
 */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const runGc = runInNewContext("gc") as NodeJS.GCFunction;
  setFlagsFromString("--no-expose-gc");
  runGc({ type: "major", execution: "sync", flavor: "last-resort" });
}
