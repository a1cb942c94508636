// Proves the Dockerfile, fly.toml and the commands of docs/operations.md by running their steps.
import { rm } from "node:fs/promises";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { turnOnSecondFactor } from "../support/authenticator-app.ts";
import { textFile, uploadOrFail } from "../support/uploads.ts";
import { buildImage } from "../support/container-image.ts";
import { createPeople } from "../support/people.ts";
import { freePort } from "../support/free-port.ts";
import { startPostgres } from "../support/servers/postgres-server.ts";
import { spawnProcess } from "../support/servers/server-process.ts";
import { startSmtpServer } from "../support/servers/smtp-server.ts";
import { startS3 } from "../support/servers/s3-server.ts";
import { adminEmail, adminPassword } from "../support/test-environment.ts";
import { bookOrFail } from "../support/bookings.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const ORIGIN = "https://practice.example";
const BUILD_MS = 900_000;

/** What an operator sets on a public machine, whatever its database is. */
const SECRETS = {
  APP_ORIGIN: ORIGIN,
  SESSION_SECRET: "a-secret-for-tests-that-is-long-enough",
  FILE_KEYS: `files:${Buffer.alloc(32, 1).toString("base64")}`,
  BACKUP_KEYS: `vault:${Buffer.alloc(32, 2).toString("base64")}`,
  ADMIN_EMAIL: adminEmail,
  ADMIN_PASSWORD: adminPassword,
  FLY_APP_NAME: "family-advocacy",
};

let image: Awaited<ReturnType<typeof buildImage>>;
beforeAll(async () => {
  image = await buildImage();
}, BUILD_MS);
// Tens of thousands of files: longer than a process that ends is given.
afterAll(() => rm(path.dirname(image.root), { recursive: true, force: true }));

/** The image's own command, as a container of it starts: with its environment, the operator's settings and nothing else. */
async function startContainer(settings: Record<string, string>, command = image.command) {
  const env = { ...image.env, ...SECRETS, PORT: String(await freePort()), HOST: "127.0.0.1", ...settings };
  const [program = "", ...args] = command;
  const container = spawnProcess(image.folder, program, args, env);
  await container.waitForOutput(/is ready at/);
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    container.kill(signal);
    return container.ended;
  };
  return { ...container, ...createPeople(ORIGIN, env.PORT), env, stop };
}

type Container = Awaited<ReturnType<typeof startContainer>>;

/** A day in its life, as it looks from behind Fly's proxy. */
async function live(container: Container) {
  const anybody = container.visitor();
  const health = await anybody.request("GET", "/healthz", { headers: { Host: "127.0.0.1" } });
  const ready = await anybody.request("GET", "/readyz", { headers: { Host: "10.0.0.7" } });
  expect([health.status, ready.status]).toEqual([200, 200]);
  const consultant = await container.consultant();
  await turnOnSecondFactor(consultant, adminPassword);
  const family = await container.family({ intake: true });
  const appointment = await bookOrFail(family);
  const id = await uploadOrFail(family, textFile(100_000));
  expect((await consultant.get("/dashboard")).visibleText).toContain(family.firstName);
  expect((await consultant.get(`/api/documents/${id}`)).bytes.equals(textFile(100_000))).toBe(true);
  return { family, appointment, id };
}

describe("the image", () => {
  test("contains the runtime files and no sources, tests, build tools, data or secrets", () => {
    const has = (name: string) => existsSync(path.join(image.folder, name));
    expect(
      ["server.ts", "build/server/index.js", "bin/migrate.js", "bin/backup.js", "node_modules/pg"].filter(has),
    ).toHaveLength(5);
    const { devDependencies } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
    const others = [".env", "data", "app", "tests", ".git", "node_modules/node", "node_modules/.bin/node"];
    // Types come along with some packages; they are not run.
    const tools = Object.keys(devDependencies).filter((name) => !name.startsWith("@types/"));
    expect([...others, ...tools.map((name) => `node_modules/${name}`)].filter(has)).toEqual([]);
    expect(readdirSync(image.data)).toEqual([]);
  });

  test("runs as the user node, on the Node version that package.json pins", () => {
    const { dependencies } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
    expect(image.user).toBe("node");
    expect(readFileSync(path.join(ROOT, "Dockerfile"), "utf8").match(/^FROM node:[^@\s]+/gm)).toEqual(
      Array<string>(2).fill(`FROM node:${dependencies.node}-slim`),
    );
    expect(process.version).toBe(`v${dependencies.node}`);
  });

  test("matches the port, volume, signal and health check in fly.toml", () => {
    const fly = readFileSync(path.join(ROOT, "fly.toml"), "utf8");
    expect(fly).toContain(`internal_port = ${image.env.PORT}`);
    expect(fly).toContain(`destination = "/${path.relative(image.root, image.data)}"`);
    expect(fly).toMatch(/force_https = true/);
    expect(fly).toMatch(/kill_signal = "SIGTERM"/);
    expect(fly).toMatch(/path = "\/healthz"/);
  });

  test("exits with 1 and names a missing secret", async () => {
    const { ended, output } = spawnProcess(image.folder, "node", ["server.ts"], { ...image.env, APP_ORIGIN: ORIGIN });
    expect(await ended).toBe(1);
    expect(output()).toContain("SESSION_SECRET is required");
  });
});

test("one machine with SQLite works in 512 MB, stops on a signal, and keeps documents and sessions after a restart", async () => {
  const written = () => everythingIn(image.folder);
  const before = written();
  const first = await startContainer({});
  const { family, id } = await live(first);
  const [program = "", ...check] = image.health;
  expect(await spawnProcess(image.folder, program, check, first.env).ended).toBe(0);
  expect(peakMegabytes(first.pid)).toBeLessThan(512);
  expect(await first.stop("SIGTERM")).toBe(0);
  expect(await spawnProcess(image.folder, program, check, first.env).ended).toBe(1);
  expect(written()).toEqual(before);

  // Whoever starts it by hand, without what starts it again, has the same. And the session's secret was changed.
  const old = [...family.cookies];
  const secrets = `another-secret-that-is-long-enough-too,${SECRETS.SESSION_SECRET}`;
  const second = await startContainer({ SESSION_SECRET: secrets }, ["node", "server.ts"]);
  const again = second.visitor();
  for (const [name, value] of old) again.cookies.set(name, value);
  expect((await again.get(`/api/documents/${id}/download`)).bytes.equals(textFile(100_000))).toBe(true);
  expect(await second.stop("SIGINT")).toBe(0);
  expect(written()).toEqual(before);

  const third = await startContainer({ SESSION_SECRET: "another-secret-that-is-long-enough-too" });
  const stranger = third.visitor();
  for (const [name, value] of old) stranger.cookies.set(name, value);
  expect((await stranger.get("/api/auth/me")).status).toBe(401);
  expect((await stranger.get("/documents")).status).toBe(302);
  expect(await third.stop()).toBe(0);
});

test("a server killed with SIGKILL is restarted within its container, and the kill is logged as an error", async () => {
  const container = await startContainer({});
  const [server = 0] = childrenOf(container.pid);
  process.kill(server, "SIGKILL");
  await container.waitForOutput(/(is ready at[^]*){2}/);
  expect((await container.visitor().get("/healthz")).status).toBe(200);
  const [line = ""] = /\{.*ended unexpectedly.*\}/.exec(container.output()) ?? [];
  expect(JSON.parse(line)).toMatchObject({ level: "error", msg: expect.stringContaining("signal SIGKILL") });
  expect(await container.stop("SIGTERM")).toBe(0);
});

test("with PostgreSQL and a bucket two machines can start at once on an empty database, and both serve", async () => {
  const [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  const settings = (name: string) => {
    const folder = path.join(image.root, name);
    mkdirSync(folder);
    return { ...s3.settings, DATABASE_URL: postgres.url.replace(/\/postgres$/, "/practice"), DATA_DIR: folder };
  };
  const [one, other] = await Promise.all([startContainer(settings("one")), startContainer(settings("other"))]);
  const { family, id } = await live(one);
  const elsewhere = other.visitor();
  await elsewhere.post("/api/auth/login", { email: family.email, password: family.password });
  expect((await elsewhere.get(`/api/documents/${id}/download`)).bytes.equals(textFile(100_000))).toBe(true);
  expect(await Promise.all([one.stop(), other.stop()])).toEqual([0, 0]);
  await s3.stop();
  await postgres.stop();
});

describe("docs/operations.md", () => {
  const guide = readFileSync(path.join(ROOT, "docs/operations.md"), "utf8");
  const blocks = [...guide.matchAll(/<!-- (.*) -->\n *```\w*\n([^`]*)```/g)].map(([, note = "", text = ""]) => ({
    note,
    text,
  }));
  const marked = (note: string) => blocks.filter((block) => block.note.startsWith(note)).map(({ text }) => text);

  test("marks every block of commands as run by a test, or says why it is not", () => {
    expect(blocks.length).toBeGreaterThan(10);
    expect(guide.match(/^ *```/gm)).toHaveLength(2 * blocks.length);
    expect(blocks.filter(({ note }) => !/^(run|run in the container: .{10,}|not run: .{10,})$/.test(note))).toEqual([]);
  });

  test("names exactly the secrets that a public site needs, and no unknown setting", () => {
    const [secrets = ""] = blocks.map(({ text }) => text).filter((text) => text.includes("SESSION_SECRET="));
    const named = [...secrets.matchAll(/^\s+([A-Z_]+)=/gm)].map(([, name]) => name);
    const { APP_ORIGIN: _, FLY_APP_NAME: __, ...given } = SECRETS;
    expect(new Set(named)).toEqual(new Set(Object.keys(given)));
    const known = [...readFileSync(path.join(ROOT, ".env.example"), "utf8").matchAll(/^#([A-Z_]+)=/gm)];
    const used = [...guide.matchAll(/\b([A-Z]+(?:_[A-Z]+)+)\b/g)].map(([, name]) => name);
    const others = ["FLY_API_TOKEN", "NODE_OPTIONS"];
    expect(used.filter((name) => !others.includes(name!) && !known.some(([, each]) => each === name))).toEqual([]);
  });

  test("has an operator command that succeeds and prints two keys", async () => {
    const [block = "", ...more] = marked("run").filter((text) => !text.includes("fly "));
    const made = await runIn(ROOT, ["sh", "-c", block], { PATH: process.env.PATH ?? "" });
    expect([made.code, more]).toEqual([0, []]);
    expect(made.output.match(/^[\w+/]{43}=$/gm)).toHaveLength(2);
  });

  test("has container commands that all succeed, and a restore brings a lost machine back", async () => {
    const commands = marked("run in the container")
      .flatMap((text) => text.trim().split("\n"))
      .map((line) => line.trim())
      .map((line) => / -C "(.*)"$| -- (.*)$/.exec(line)?.slice(1).find(Boolean) ?? line);
    const data = path.join(image.root, "guided");
    mkdirSync(data);
    const container = await startContainer({ DATA_DIR: data });
    const { family } = await live(container);
    const elsewhere = {
      ...container.env,
      DATA_DIR: path.join(image.root, "elsewhere"),
      BACKUP_STORAGE: `file:${data}/backups`,
    };
    const smtp = await startSmtpServer();
    const environmentOf = (command: string) => {
      if (command.includes("mail-test")) return { ...container.env, SMTP_URL: smtp.url };
      return command.includes("restore") ? elsewhere : container.env;
    };
    const said: string[] = [];
    for (const command of commands) {
      const words = command
        .replaceAll("/app/", `${image.folder}/`)
        .replace("YOU@YOUR-PRACTICE.COM", adminEmail)
        .replace("YOU@GMAIL.COM", "you@example.net")
        .split(" ");
      const { code, output } = await runIn(image.folder, words, environmentOf(command));
      expect([command, code, output]).toEqual([command, 0, expect.any(String)]);
      said.push(output.trim());
    }
    expect(said).toEqual([
      expect.stringMatching(/^backup-\d{8}T\d{6}Z\.backup holds \d+ records and 1 documents/),
      expect.stringMatching(/^The rehearsal went well: .* 1 documents, each equal to its hash/),
      expect.stringMatching(/^Restored as of .* 1 documents, each equal to its hash/),
      expect.stringContaining("holds"),
      expect.stringContaining(`The password of ${adminEmail} is`),
      expect.stringContaining("0 documents brought under the newest key"),
      expect.stringContaining("1 documents are whole"),
      expect.stringContaining("took the message. From: "),
      expect.stringMatching(/^\d+ entries hold/),
    ]);
    expect(smtp.mails.map(({ to, event }) => [to, event])).toEqual([["you@example.net", "test"]]);
    await smtp.stop();
    expect(await container.stop()).toBe(0);
    const back = await startContainer({ DATA_DIR: elsewhere.DATA_DIR });
    const again = back.visitor();
    await again.post("/api/auth/login", { email: family.email, password: family.password });
    expect((await again.get("/api/appointments")).json).toHaveLength(1);
    expect(await back.stop()).toBe(0);
  });
});

async function runIn(folder: string, [program = "", ...args]: string[], env: Record<string, string>) {
  const child = spawnProcess(folder, program, args, env);
  return { code: await child.ended, output: child.output() };
}

function everythingIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return (
    entries
      .map((entry) => path.join(entry.parentPath, entry.name))
      // What Node compiled, kept by bin/start.js: the image's user may not write there, and nothing misses it.
      .filter((file) => !file.includes("build/.compiled"))
      .map((file) => `${path.relative(folder, file)} ${statSync(file).mtimeMs}`)
      .toSorted()
  );
}

/** The most memory that a process and those it started ever had, in MB; 0 where the system does not say. */
function peakMegabytes(pid: number | undefined): number {
  const file = `/proc/${pid}/status`;
  const [, kilobytes = "0"] = (existsSync(file) && /VmHWM:\s+(\d+)/.exec(readFileSync(file, "utf8"))) || [];
  console.log(`peak ${Math.round(Number(kilobytes) / 1024)} MB`);
  return childrenOf(pid).reduce((sum, child) => sum + peakMegabytes(child), Number(kilobytes) / 1024);
}

function childrenOf(pid: number | undefined): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? readFileSync(file, "utf8").split(" ").filter(Boolean).map(Number) : [];
}
