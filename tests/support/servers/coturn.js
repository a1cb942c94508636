// A real relay for video visits: coturn, as the system has it or as Debian installs it. Plain JavaScript for any Node.
import { aptInstall, executablePaths, run } from "./apt-install.js";

/** The path of coturn's `turnserver`, or null. */
export function findCoturn() {
  return executablePaths(["turnserver"]).find((file) => run(file, ["--version"])) ?? null;
}

/** Finds coturn, or installs it where this machine allows that. Throws a sentence that says what to do. */
export function ensureCoturn() {
  const found = findCoturn();
  if (found) return found;
  console.log("Installing coturn …");
  aptInstall("coturn");
  const installed = findCoturn();
  if (installed) return installed;
  throw new Error(
    "The tests of video visits need coturn and it could not be installed. Install it (Debian: apt-get install coturn; " +
      "macOS: brew install coturn) and run npm test again.",
  );
}
