import { connect } from "node:net";
import type { Measurement } from "./probe.ts";

export type Probe = Awaited<ReturnType<typeof connectProbe>>;

/** Connects to the probe of a server process. A question fails once that process has ended. */
export async function connectProbe(socketPath: string) {
  const socket = connect(socketPath);
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  let text = "";
  const waiting: { resolve: (measured: Measurement) => void; reject: (error: Error) => void }[] = [];
  socket.on("data", (part) => {
    const lines = (text + part.toString()).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) waiting.shift()?.resolve(JSON.parse(line) as Measurement);
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    for (const { reject } of waiting.splice(0)) reject(new Error("The server process died."));
  });
  const query = (command: "delay" | "collect") =>
    new Promise<Measurement>((resolve, reject) => {
      if (socket.destroyed) return reject(new Error("The server process died."));
      waiting.push({ resolve, reject });
      socket.write(`${command}\n`);
    });
  return { query, close: () => socket.destroy() };
}

export function inMebibytes({ heapBytes, heapTotalBytes, externalBytes, rssBytes }: Measurement) {
  const rounded = (bytes: number) => Math.round(bytes / 1024 / 1024);
  const [heap, heapTotal] = [rounded(heapBytes), rounded(heapTotalBytes)];
  return { heap, heapTotal, external: rounded(externalBytes), rss: rounded(rssBytes) };
}
