// Proves that the virus scanner's client sends a file unchanged, and that any unclear answer is an error in time.
import { createServer } from "node:net";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type ClamdAddress, parseClamdAddress } from "../../app/env-schema.server.ts";
import { openScan, pingClamd, ScannerError } from "../../app/files/clamd.server.ts";
import { freePort } from "../support/free-port.ts";
import { EICAR, startFakeClamd } from "../support/servers/fake-clamd.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Where the scanner fails to answer. */
const TIMEOUT_MS = 300;
/** Where it answers: longer than a crowded machine delays a process. */
const LONG_TIMEOUT_MS = 20_000;
const clamd = await startFakeClamd();
const address = { host: "127.0.0.1", port: clamd.port };

afterAll(() => clamd.stop());
beforeEach(() => {
  clamd.behavior = { kind: "scans" };
  clamd.files.length = 0;
});

async function scan(chunks: Buffer[], at: ClamdAddress = address, timeoutMs = LONG_TIMEOUT_MS) {
  const opened = await openScan(at, timeoutMs);
  try {
    for (const chunk of chunks) await opened.send(chunk);
    return await opened.finish();
  } finally {
    opened.close();
  }
}

describe("a scanned file", () => {
  const parts = [Buffer.alloc(100_000, "a"), Buffer.alloc(0), Buffer.from("b"), Buffer.alloc(3_000_000, "c")];

  test("arrives unchanged at the scanner, including an empty chunk, and is reported clean", async () => {
    expect(await scan(parts)).toBeNull();
    expect(clamd.files.map((file) => file.equals(Buffer.concat(parts)))).toEqual([true]);
  });

  test("with a virus signature split across two chunks is reported with the signature's name", async () => {
    expect(await scan([...parts, EICAR.subarray(0, 20), EICAR.subarray(20)])).toBe("Eicar-Test-Signature");
  });

  test("is scanned through a unix socket too", async () => {
    const at = { path: path.join(temporaryFolder("clamd"), "clamd.ctl") };
    const local = await startFakeClamd(at);
    expect([await scan([EICAR], at), await pingClamd(at, LONG_TIMEOUT_MS)]).toEqual(["Eicar-Test-Signature", true]);
    await local.stop();
  });
});

describe("a scanner without a clear result", () => {
  test.each([
    ["answers with an error", { kind: "answers", reply: "INSTREAM: Can't allocate memory ERROR\0" }],
    ["sends an unknown answer", { kind: "answers", reply: "stream: OK FOUND nothing\0" }],
    ["sends an empty answer", { kind: "answers", reply: "\0" }],
    ["closes the connection without an answer", { kind: "answers", reply: "" }],
    ["sends an endless answer", { kind: "answers", reply: "a".repeat(100_000) }],
    ["never answers", { kind: "silent" }],
    ["closes the connection during the transfer", { kind: "closes" }],
    ["refuses the size of the file", { kind: "limits", bytes: 1000 }],
  ] as const)("is an error when it %s", async (_, behavior) => {
    clamd.behavior = behavior;
    const failure: unknown = await scan([Buffer.alloc(2000), Buffer.alloc(5_000_000)], address, TIMEOUT_MS).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(ScannerError);
  });

  test("has its answer quoted in the error, without control characters", async () => {
    clamd.behavior = { kind: "answers", reply: "ERROR\n\x1b[31mred\0" };
    await expect(scan([EICAR])).rejects.toThrow("It answered: ERROR??[31mred");
  });

  test("is an error when nothing listens, or when the listener reads nothing until the timeout", async () => {
    const port = await freePort();
    await expect(scan([EICAR], { host: "127.0.0.1", port })).rejects.toThrow(ScannerError);
    await expect(scan([EICAR], { path: "/nonexistent/clamd.ctl" })).rejects.toThrow(ScannerError);
    expect(await pingClamd({ host: "127.0.0.1", port }, TIMEOUT_MS)).toBe(false);
    const unreadServer = createServer({ pauseOnConnect: true }, (socket) => socket.on("error", () => {}));
    await new Promise<void>((resolve) => unreadServer.listen(port, "127.0.0.1", resolve));
    await expect(scan([Buffer.alloc(60_000_000)], { host: "127.0.0.1", port }, TIMEOUT_MS)).rejects.toThrow("in time");
    expect(await pingClamd({ host: "127.0.0.1", port }, TIMEOUT_MS)).toBe(false);
    unreadServer.close();
  });
});

test.each([
  ["tcp://clamav.internal:3310", { host: "clamav.internal", port: 3310 }],
  ["tcp://[fdaa::3]:3310", { host: "fdaa::3", port: 3310 }],
  ["127.0.0.1:3310", { host: "127.0.0.1", port: 3310 }],
  ["unix:///run/clamav/clamd.ctl", { path: "/run/clamav/clamd.ctl" }],
  ["unix:/run/clamav/clamd.ctl", { path: "/run/clamav/clamd.ctl" }],
])("CLAMAV_URL may be %s", (text, at) => {
  expect(parseClamdAddress(text)).toEqual(at);
});
