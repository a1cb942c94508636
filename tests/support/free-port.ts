import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports that Linux gives to outgoing connections, one of which could take it before the server listens. */
const PORTS = [10_240, 32_768] as const;

/** A port of this machine on which nobody listens. */
export async function freePort(): Promise<number> {
  const port = randomInt(...PORTS);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) =>
    server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true)),
  );
  if (!isFree) return freePort();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
