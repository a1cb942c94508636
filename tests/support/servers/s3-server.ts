import type { Server as HttpServer } from "node:http";
// @ts-expect-error: the package has no types.
import S3rver from "s3rver";
import { freePort } from "../free-port.ts";
import { temporaryFolder } from "../temporary-folder.ts";

type Server = { run: () => Promise<unknown>; close: () => Promise<void>; httpServer: HttpServer };
type MakeServer = new (options: Record<string, unknown>) => Server;

const BUCKET = "practice-documents";

/** A server that speaks S3, with one bucket, and the settings that lead to it. */
export async function startS3() {
  const port = await freePort();
  const directory = temporaryFolder("s3");
  const server = new (S3rver as MakeServer)({
    address: "127.0.0.1",
    port,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET }],
  });
  await server.run();
  return {
    directory: `${directory}/${BUCKET}`,
    settings: {
      FILE_STORAGE: `s3://${BUCKET}?endpoint=http://127.0.0.1:${port}&region=us-east-1`,
      AWS_ACCESS_KEY_ID: "S3RVER",
      AWS_SECRET_ACCESS_KEY: "S3RVER",
    },
    stop: () => {
      const closed = server.close();
      server.httpServer.closeAllConnections();
      return closed;
    },
  };
}
