import { spawn } from "node:child_process";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { findCoturn } from "./coturn.js";
import { freePort } from "../free-port.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const SECRET = "a-relay-secret-for-tests";

/**
 * A real coturn on this machine's loopback: STUN and TURN over UDP and TCP, with passwords made from a shared secret.
 * `settings` are further lines of its configuration, such as "denied-peer-ip=…".
 */
export async function startTurnServer(settings: string[] = []) {
  const program = findCoturn();
  if (!program) throw new Error("There is no coturn: npm test installs it.");
  const port = await freePort();
  const parameters = ["-n", "--no-cli", "--no-tls", "--no-dtls", "--no-stdout-log", "--relay-threads=1"];
  const relay = [
    "--listening-ip=127.0.0.1",
    "--relay-ip=127.0.0.1",
    `--listening-port=${port}`,
    "--allow-loopback-peers",
  ];
  const secret = ["--use-auth-secret", `--static-auth-secret=${SECRET}`, "--realm=visits.test"];
  const folder = temporaryFolder("coturn");
  const files = [`--pidfile=${folder}/pid`, `--userdb=${folder}/turndb`, `--log-file=${folder}/log`];
  const child = spawn(program, [...parameters, ...relay, ...secret, ...files, ...settings.map((each) => `--${each}`)], {
    cwd: folder,
    stdio: "ignore",
  });
  const endWithUs = () => child.kill("SIGKILL");
  process.once("exit", endWithUs);
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const failed = ended.then(() => Promise.reject(new Error("coturn ended at once.")));
  await Promise.race([answering(port), failed]);
  return {
    port,
    secret: SECRET,
    stop: async () => {
      process.off("exit", endWithUs);
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function answering(port: number): Promise<void> {
  const opens = await new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.once("error", () => resolve(false)).once("close", () => socket.destroy());
    socket.end();
  });
  if (opens) return;
  await pause(50);
  return answering(port);
}
