// Proves that requests to the bucket and to Square, which contain their keys, don't follow redirects.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { createS3Store } from "../../app/files/s3-store.server.ts";
import { StorageUnavailableError } from "../../app/files/storage-errors.server.ts";
import { createSquareGateway } from "../../app/payments/square.server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** What was asked of another server. */
const followedRequests: string[] = [];
const other = createServer((request, response) => {
  followedRequests.push(`${request.method} ${request.url}`);
  response.end("{}");
});
const otherUrl = await listen(other);
const redirecting = createServer((request, response) => {
  response.writeHead(307, { Location: otherUrl + request.url }).end();
});
const url = await listen(redirecting);

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterAll(() => {
  for (const server of [other, redirecting]) {
    server.closeAllConnections();
    server.close();
  }
});

test("a redirect from the bucket is a StorageUnavailableError and is not followed", async () => {
  const keys = { region: "r", accessKeyId: "id", secretAccessKey: "key" };
  const store = createS3Store({ url: `${url}/bucket`, ...keys }, temporaryFolder("redirected"));
  await expect(store.open("key")).rejects.toThrow(StorageUnavailableError);
  expect(followedRequests).toEqual([]);
});

test("a redirect from Square is an unsuccessful response and is not followed", async () => {
  const settings = { environment: "sandbox", accessToken: "token", locationId: "L", baseUrl: url } as const;
  const gateway = createSquareGateway(settings, "http://localhost");
  expect(await gateway.find("payment", AbortSignal.timeout(1000))).toMatchObject({ ok: false });
  expect(followedRequests).toEqual([]);
});
