import { spawn } from "node:child_process";
import path from "node:path";
import { NODE_EXECUTABLE } from "../../../bin/prepare.js";

const running = new Set<number>();
process.once("exit", () => running.forEach(killGroup));

/** Runs a command in a process group of its own, which is killed after `timeoutMs`; `code` is null then. */
export function runProcess(folder: string, [program = "", ...args]: string[], timeoutMs: number) {
  const env = {
    ...process.env,
    PATH: `${path.dirname(NODE_EXECUTABLE)}${path.delimiter}${process.env.PATH}`,
    TZ: "UTC",
    NO_COLOR: "1",
    FORCE_COLOR: undefined,
    FAULTS: undefined,
  };
  const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const group = child.pid;
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => (output = (output + part.toString()).slice(-100_000)));
  if (group) running.add(group);
  const end = () => {
    if (group && running.delete(group)) killGroup(group);
  };
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    const timer = setTimeout(() => {
      end();
      resolve({ code: null, output });
    }, timeoutMs);
    child.once("error", reject);
    child.once("exit", (code) => {
      clearTimeout(timer);
      // Servers that a test left behind would wait for ever.
      end();
      resolve({ code, output });
    });
  });
}

function killGroup(group: number) {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // Already ended.
  }
}
