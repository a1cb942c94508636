import { createServer, type AddressInfo, type Socket } from "node:net";

/** The test file that every scanner reports, put together here so that no scanner reports this source. */
export const EICAR = Buffer.from(
  ["X5O!P%@AP[4", "\\PZX54(P^)7CC)7}$", "EICAR-STANDARD-ANTIVIRUS-TEST-FILE!", "$H+H*"].join(""),
);

type Behavior =
  | { kind: "scans" }
  | { kind: "answers"; reply: string }
  | { kind: "silent" }
  | { kind: "closes" }
  | { kind: "closes once" }
  | { kind: "limits"; bytes: number }
  | { kind: "answers later"; after: Promise<void> };

/**
 * A TCP server that speaks clamd's protocol: PING, and INSTREAM with chunks after their length. By default it reports
 * files that contain EICAR. `files` are the ones it read to their end.
 */
export async function startFakeClamd(listenAt: { port: number } | { path: string } = { port: 0 }) {
  const files: Buffer[] = [];
  const sockets = new Set<Socket>();
  const state = { behavior: { kind: "scans" } as Behavior, files, connections: 0 };
  const server = createServer((socket) => {
    state.connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
    let received = Buffer.alloc(0);
    socket.on("data", (bytes) => {
      received = Buffer.concat([received, bytes]);
      answer(socket, received);
    });
  });

  function answer(socket: Socket, received: Buffer) {
    const { behavior } = state;
    if (behavior.kind === "silent") return;
    if (received.equals(Buffer.from("zPING\0"))) return void socket.end("PONG\0");
    const { file, isWhole } = readStream(received);
    if (behavior.kind === "closes" && file.length > 0) return void socket.destroy();
    if (behavior.kind === "closes once" && file.length > 0) {
      state.behavior = { kind: "scans" };
      return void socket.destroy();
    }
    if (behavior.kind === "limits" && file.length > behavior.bytes)
      return void socket.end("INSTREAM size limit exceeded. ERROR\0");
    if (!isWhole) return;
    files.push(file);
    const verdict = file.includes(EICAR) ? "stream: Eicar-Test-Signature FOUND\0" : "stream: OK\0";
    if (behavior.kind === "answers later") void behavior.after.then(() => socket.end(verdict));
    else socket.end(behavior.kind === "answers" ? behavior.reply : verdict);
  }

  const start = (at: { port: number } | { path: string }) =>
    new Promise<void>((resolve) => server.listen("port" in at ? { ...at, host: "127.0.0.1" } : at, resolve));
  await start(listenAt);
  const { port = 0 } = (server.address() ?? {}) as Partial<AddressInfo>;
  return Object.assign(state, {
    port,
    countOpen: () => sockets.size,
    start: () => start({ port }),
    stop: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}

/** The file in what was received so far, and whether the chunk of no bytes has come that ends it. */
function readStream(received: Buffer): { file: Buffer; isWhole: boolean } {
  const command = "zINSTREAM\0";
  const chunks: Buffer[] = [];
  if (!received.toString("latin1", 0, command.length).startsWith(command))
    return { file: Buffer.alloc(0), isWhole: false };
  let position = command.length;
  while (position + 4 <= received.length) {
    const length = received.readUInt32BE(position);
    if (length === 0) return { file: Buffer.concat(chunks), isWhole: true };
    chunks.push(received.subarray(position + 4, position + 4 + length));
    position += 4 + length;
  }
  return { file: Buffer.concat(chunks), isWhole: false };
}
