// Proves that a signal or a crash ends the process gracefully, and that npm start restarts it after a crash.
// What npm start does has nothing to do with the database, and a test that is skipped on the other counts as failed.
// oxlint-disable vitest/no-conditional-tests
import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { inject, describe, expect, test } from "vitest";
import { multipart, postStreaming, textFile, uploadFile, uploadParts } from "../support/uploads.ts";
import { runCommand, spawnProcess, startServer } from "../support/servers/server-process.ts";
import { startFakeSquare } from "../support/servers/fake-square.ts";
import { openHours } from "../support/bookings.ts";

const template = inject("template");
const hours = openHours();
/** Both signals take one way: each database has its own. */
const isSqlite = template.startsWith("file:");

type Site = Awaited<ReturnType<typeof startServer>>;

/** A site whose cards are taken by a Square that takes its time. */
async function slowlyPaidSite() {
  const square = await startFakeSquare();
  square.fail((call) =>
    call.path.endsWith("payments") && call.method === "POST" ? { kind: "slow", milliseconds: 1500 } : null,
  );
  const site = await startServer({
    template,
    overrides: {
      PAYMENTS: "square",
      SQUARE_ENVIRONMENT: "sandbox",
      SQUARE_APPLICATION_ID: "sandbox-application",
      SQUARE_LOCATION_ID: "L1",
      SQUARE_ACCESS_TOKEN: "stand-in-token",
      SQUARE_BASE_URL: square.url,
    },
  });
  return { square, site };
}

/** A download that is read on only when it is told to. */
function downloadSlowly(site: Site, cookies: Map<string, string>, path: string) {
  const began = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  const whole = new Promise<number>((resolve, reject) => {
    const headers = { Host: new URL(site.origin).host, Cookie: [...cookies].map((each) => each.join("=")).join("; ") };
    get({ hostname: "127.0.0.1", port: site.environment.PORT, path, headers, agent: new Agent() }, (response) => {
      let bytes = 0;
      response.once("readable", () => {
        began.resolve();
        void mayGoOn.promise.then(() => response.on("data", (part: Buffer) => (bytes += part.length)));
      });
      response.on("error", reject).on("end", () => resolve(bytes));
    }).on("error", reject);
  });
  return { began: began.promise, goOn: mayGoOn.resolve, whole };
}

async function until(isSo: () => Promise<boolean> | boolean) {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe("a process that receives a termination signal", () => {
  test.each([isSqlite ? "SIGINT" : "SIGTERM"] as const)(
    "(%s) finishes an upload, a download and a payment, takes no new requests, and exits with 0",
    async (signal) => {
      const { site, square } = await slowlyPaidSite();
      const maria = await site.family({ intake: true });
      const large = textFile(8_000_000);
      const { id } = (await uploadFile(maria, { bytes: large })).json;
      const download = downloadSlowly(site, maria.cookies, `/api/documents/${id}/download`);
      await download.began;
      const letter = multipart(uploadParts({ bytes: textFile(400_000), fileName: "half-way.txt" }));
      const mayGoOn = Promise.withResolvers<void>();
      const half = Promise.withResolvers<void>();
      const upload = postStreaming(maria, { "Content-Length": letter.length }, async (write) => {
        await write(letter.subarray(0, 200_000));
        half.resolve();
        await mayGoOn.promise;
        await write(letter.subarray(200_000));
      });
      await half.promise;
      const appointmentData = { title: "Hourly Consulting", appointmentDate: hours.next().value, duration: 60 };
      const order = { sourceId: "cnon:card-nonce-ok", amount: 75, appointmentData };
      const payment = maria.post("/api/payments/process", order);
      await until(() => square.callsTo(/^POST .*payments$/).length > 0);

      site.kill(signal);
      await until(() =>
        site
          .visitor()
          .get("/healthz")
          .then(
            ({ status }) => status === 503,
            () => true,
          ),
      );
      site.kill(signal);
      expect(await payment).toMatchObject({ status: 200, headers: { connection: "close" } });
      mayGoOn.resolve();
      expect((await upload.answer).status).toBe(201);
      download.goOn();
      expect(await download.whole).toBe(large.length);
      expect(await site.ended).toBe(0);
      await square.stop();
    },
  );

  test("exits with 0 when no request is in progress, even after several signals", async () => {
    const site = await startServer({ template });
    await site.visitor().get("/");
    for (const signal of ["SIGTERM", "SIGINT", "SIGTERM"] as const) site.kill(signal);
    expect(await site.ended).toBe(0);
  });
});

/** Lets a process throw, or leave a promise alone, at a signal. */
const failOnSignal = encodeURIComponent(
  `process.on("SIGUSR2", () => setTimeout(() => { throw new Error("out of nowhere, by canary@example.com"); }));
   process.on("SIGHUP", () => void Promise.reject(new Error("left alone")));`,
);
/** Kills the server, and not the program that starts it. */
const DIES_AT_ITS_START = `if (process.argv[1].endsWith("server.ts")) process.kill(process.pid, "SIGKILL");`;
const fragile = { NODE_OPTIONS: `--import data:text/javascript,${failOnSignal}` };

describe("an error", () => {
  test("in an unhandled promise rejection is logged, and the site keeps serving", async () => {
    const site = await startServer({ template, overrides: fragile });
    const maria = await site.family();
    site.kill("SIGHUP");
    await site.waitForOutput(/unhandled rejection/);
    expect((await maria.get("/dashboard")).status).toBe(200);
    site.kill("SIGTERM");
    expect(await site.ended).toBe(0);
  });

  test("that is an uncaught exception is logged and ends the process with 70 once open requests finish", async () => {
    const site = await startServer({ template, overrides: fragile });
    const maria = await site.family();
    const letter = multipart(uploadParts({ bytes: textFile(300_000) }));
    const mayGoOn = Promise.withResolvers<void>();
    const isExpected = Promise.withResolvers<void>();
    const headers = { Expect: "100-continue", "Content-Length": letter.length };
    const upload = postStreaming(maria, headers, async (write) => {
      await isExpected.promise;
      await write(letter.subarray(0, 100_000));
      await mayGoOn.promise;
      await write(letter.subarray(100_000));
    });
    upload.sent.on("continue", isExpected.resolve);
    upload.sent.flushHeaders();
    await isExpected.promise;
    site.kill("SIGUSR2");
    await site.waitForOutput(/crash: uncaught exception/);
    mayGoOn.resolve();
    expect((await upload.answer).status).toBe(201);
    expect(await site.ended).toBe(70);
    expect(site.output()).toContain("out of nowhere");
    expect(site.output()).not.toContain("canary@example.com");
  });

  if (isSqlite) {
    test("that crashes the server, or a SIGKILL, makes npm start restart it", async () => {
      const { environment, kill, ended } = await startServer({ template });
      kill("SIGTERM");
      await ended;
      const site = spawnProcess(process.cwd(), process.execPath, ["bin/start.js"], { ...environment, ...fragile });
      const server = () => Number(readFileSync(`/proc/${site.pid}/task/${site.pid}/children`, "utf8").split(" ")[0]);
      const isReady = (times: number) => site.waitForOutput(new RegExp(`(is ready at[^]*){${times}}`));
      await isReady(1);
      process.kill(server(), "SIGKILL");
      await isReady(2);
      process.kill(server(), "SIGUSR2");
      await isReady(3);
      site.kill("SIGTERM");
      expect(await site.ended).toBe(0);
      expect(site.output().match(/The server ended .*/g)).toEqual([
        "The server ended unexpectedly (signal SIGKILL). It starts again in 1 s.",
        "The server ended unexpectedly (exit code 70). It starts again in 2 s.",
      ]);
    });

    test("in the settings ends npm start with 1; a signal during the restart delay ends it with 0", async () => {
      const { environment, kill, ended } = await startServer({ template });
      kill("SIGTERM");
      await ended;
      const refused = await runCommand(["bin/start.js"], { ...environment, PAYMENTS: "yes" });
      expect([refused.code, refused.output.trim()]).toEqual([1, "PAYMENTS must be square, simulator or off"]);
      const dying = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(DIES_AT_ITS_START)}` };
      const site = spawnProcess(process.cwd(), process.execPath, ["bin/start.js"], { ...environment, ...dying });
      await site.waitForOutput(/It starts again in 1 s/);
      site.kill("SIGINT");
      expect(await site.ended).toBe(0);
    });
  }
});
