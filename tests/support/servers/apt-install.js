// Programs of the system that tests need. Plain JavaScript for any Node from 18 on.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { ROOT } from "../../../bin/prepare.js";

const INSTALL_MS = 10 * 60_000;

export const isRoot = process.getuid?.() === 0;
export const hasPasswordlessSudo = () => !isRoot && run("sudo", ["-n", "true"]);

/** Every place where a program of these names could stand. @param {string[]} names */
export function executablePaths(names) {
  const folders = (process.env.PATH ?? "")
    .split(path.delimiter)
    .concat("/usr/bin", "/usr/local/bin", "/opt/homebrew/bin");
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
}

/** Installs a package of Debian's, where this machine lets us. @param {string} name */
export function aptInstall(name) {
  if (!isRoot && !hasPasswordlessSudo()) return;
  const apt = (/** @type {string[]} */ ...words) =>
    run(isRoot ? "apt-get" : "sudo", isRoot ? words : ["-n", "apt-get", ...words]);
  if (apt("update")) apt("install", "-y", "--no-install-recommends", name);
}

/**
 * @param {string} command
 * @param {string[]} parameters
 */
export function run(command, parameters) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync(command, parameters, { cwd: ROOT, env, stdio: "ignore", timeout: INSTALL_MS }).status === 0;
}
