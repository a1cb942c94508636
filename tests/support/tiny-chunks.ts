import { once } from "node:events";
import { connect } from "node:net";

const ENOUGH_BYTES = 32 * 1024 * 1024;
const TINY_CHUNKS = Buffer.from("1\r\na\r\n".repeat(10_000));

/**
 * Sends a request whose body arrives in chunks of one byte, at most 32 MB with their sizes, until the server stops
 * reading. Returns the response, and whether the server read all of it.
 */
export async function sendTinyChunks(
  origin: string,
  head: string[],
  start = "",
): Promise<{ text: string; isReadWhole: boolean }> {
  const { hostname, port, host } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let text = "";
  socket.on("data", (part) => (text += String(part)));
  socket.on("error", () => {});
  await once(socket, "connect");
  const lines = [...head, `Host: ${host}`, `Origin: ${origin}`, "Transfer-Encoding: chunked", "", ""];
  socket.write(lines.join("\r\n") + (start && `${start.length.toString(16)}\r\n${start}\r\n`));
  const closed = new Promise((resolve) => void socket.once("end", resolve).once("close", resolve));
  const state = { isClosed: false };
  void closed.then(() => (state.isClosed = true));
  let bytes = 0;
  while (!state.isClosed && bytes < ENOUGH_BYTES) {
    bytes += TINY_CHUNKS.length;
    if (!socket.write(TINY_CHUNKS)) await Promise.race([closed, once(socket, "drain").catch(() => closed)]);
  }
  socket.destroy();
  return { text, isReadWhole: !state.isClosed };
}
