import { Agent, createServer, request as send, type IncomingMessage, type ServerResponse } from "node:http";
import { freePort } from "../free-port.ts";

const HOST = "127.0.0.1";

/**
 * A small load balancer: each request goes to the next of the ports. One that nobody listens on gets no more requests.
 * A request whose process dies meanwhile ends with its connection, as nobody knows how far it came.
 */
export async function startRoundRobinProxy() {
  const port = await freePort();
  const agent = new Agent({ keepAlive: true });
  let ports: string[] = [];
  let next = 0;
  const inFlight = new Map<string, number>();
  const idle = new Map<string, () => void>();

  function count(port: string, change: 1 | -1): void {
    const requests = (inFlight.get(port) ?? 0) + change;
    inFlight.set(port, requests);
    if (requests === 0) idle.get(port)?.();
  }

  function forward(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    if (ports.length === 0) return void response.destroy();
    const target = ports[(next += 1) % ports.length]!;
    count(target, 1);
    const { method, url: path, headers } = request;
    const outgoing = send({ hostname: HOST, port: target, method, path, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    });
    outgoing.once("close", () => count(target, -1));
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ECONNREFUSED") return void response.destroy();
      // Nothing of it was sent.
      ports = ports.filter((each) => each !== target);
      forward(request, response, body);
    });
    outgoing.end(body);
  }

  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => forward(request, response, Buffer.concat(parts)));
  });
  await new Promise<void>((resolve) => server.listen(port, HOST, resolve));
  return {
    origin: `http://localhost:${port}`,
    /** From now on requests go to these ports. */
    setPorts: (listening: string[]) => void (ports = listening),
    /** No request goes to the port any more; resolves when those in flight have their responses. */
    drain: async (port: string): Promise<void> => {
      ports = ports.filter((each) => each !== port);
      if ((inFlight.get(port) ?? 0) > 0) await new Promise<void>((resolve) => idle.set(port, resolve));
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}
