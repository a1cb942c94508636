import { type Socket, connect, createServer } from "node:net";
import pg from "pg";
import { freePort } from "../free-port.ts";

/** A line to a server that can be held, as if the server had stopped without a word: who calls anew is heard, and gets no answer. */
export async function startTcpProxy(server: string) {
  const port = await freePort();
  const sockets = new Set<Socket>();
  let isPaused = false;
  const line = createServer((near) => {
    const far = connect(Number(new URL(server).port), "127.0.0.1");
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      sockets.add(socket.on("error", () => socket.destroy()));
      if (isPaused) socket.pause();
    }
  });
  await new Promise<void>((resolve) => line.listen(port, "127.0.0.1", resolve));
  const reached = new URL(server);
  reached.port = String(port);
  return {
    url: reached.href,
    pause: () => {
      isPaused = true;
      for (const socket of sockets) socket.pause();
    },
    resume: () => {
      isPaused = false;
      for (const socket of sockets) socket.resume();
    },
    close: () => line.close(),
  };
}

/** As a server does that is restarted. */
export async function terminateConnections(url: string) {
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  const others = "datname = current_database() AND pid <> pg_backend_pid()";
  await other.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`);
  await other.end();
}
