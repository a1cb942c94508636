import { fork } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import type { AuditAction } from "../../app/audit/audit-actions.ts";

type Command = "record" | "verify" | "passMinute" | "warnings" | "accept" | "alerts" | "end";
type Reply = { id: number; result?: unknown; error?: string };

/**
 * Starts another process of the product that does nothing but use the access log, on the database and with the DATA_DIR
 * of this one.
 */
export async function startAuditProcess() {
  const child = fork(new URL("./audit-process-main.ts", import.meta.url), {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const exited = once(child, "exit");
  /** Resolves with the result, but rejects if the process exits before. */
  const unlessExited = <Result>(result: Promise<Result>): Promise<Result> =>
    Promise.race([
      result,
      exited.then(([code, signal]) => {
        throw new Error(`The process exited with ${code ?? signal}.`);
      }),
    ]);
  await unlessExited(once(child, "message"));
  let lastId = 0;
  const run = (command: Command, ...args: unknown[]) =>
    unlessExited(
      new Promise<unknown>((resolve, reject) => {
        const id = (lastId += 1);
        const handle = (reply: Reply) => {
          if (reply.id !== id) return;
          child.off("message", handle);
          if (reply.error === undefined) resolve(reply.result);
          else reject(new Error(reply.error));
        };
        child.on("message", handle);
        child.send({ id, command, args });
      }),
    );
  const crash = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  onTestFinished(crash);
  return {
    record: (count: number, action: AuditAction = "document-opened") => run("record", count, action),
    verify: () => run("verify"),
    passMinute: () => run("passMinute"),
    warnings: () => run("warnings"),
    accept: () => run("accept"),
    /** How often the log was told of an invalid head. */
    alerts: () => run("alerts"),
    async end() {
      await run("end");
      await crash();
    },
    crash,
  };
}
