import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { textOf, uploaded } from "./support/files.ts";
import { buildImage } from "./support/image.ts";
import { peopleAt } from "./support/people.ts";
import { freePort } from "./support/ports.ts";
import { startPostgres } from "./support/postgres.ts";
import { spawnIn } from "./support/process.ts";
import { startS3 } from "./support/s3.ts";
import { adminEmail, adminPassword } from "./support/settings.ts";
import { booked } from "./support/wishes.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
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

/** The image's own command, as a container of it starts: with its environment, the operator's settings and nothing else. */
async function startContainer(settings: Record<string, string>, command = image.command) {
  const env = { ...image.env, ...SECRETS, PORT: String(await freePort()), HOST: "127.0.0.1", ...settings };
  const [program = "", ...args] = command;
  const container = spawnIn(image.folder, program, args, env);
  await container.said(/is ready at/);
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    container.kill(signal);
    return container.ended;
  };
  return { ...container, ...peopleAt(ORIGIN, env.PORT), env, stop };
}

type Container = Awaited<ReturnType<typeof startContainer>>;

/** A day in its life, as it looks from behind Fly's proxy. */
async function live(container: Container) {
  const anybody = container.visitor();
  const health = await anybody.request("GET", "/healthz", { headers: { Host: "127.0.0.1" } });
  const ready = await anybody.request("GET", "/readyz", { headers: { Host: "10.0.0.7" } });
  expect([health.status, ready.status]).toEqual([200, 200]);
  const consultant = await container.consultant();
  const family = await container.family({ intake: true });
  const appointment = await booked(family);
  const id = await uploaded(family, textOf(100_000));
  expect((await consultant.get("/dashboard")).words).toContain(family.firstName);
  expect((await consultant.get(`/api/documents/${id}`)).bytes.equals(textOf(100_000))).toBe(true);
  return { family, appointment, id };
}

describe("the image", () => {
  test("holds what runs, and nothing that builds, tests or is secret", () => {
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

  test("runs as nobody special, on the Node that package.json pins", () => {
    const { dependencies } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
    expect(image.user).toBe("node");
    expect(readFileSync(path.join(ROOT, "Dockerfile"), "utf8").match(/^FROM node:\S+/gm)).toEqual(
      Array<string>(2).fill(`FROM node:${dependencies.node}-slim`),
    );
    expect(process.version).toBe(`v${dependencies.node}`);
  });

  test("fits to what fly.toml says of it", () => {
    const fly = readFileSync(path.join(ROOT, "fly.toml"), "utf8");
    expect(fly).toContain(`internal_port = ${image.env.PORT}`);
    expect(fly).toContain(`destination = "/${path.relative(image.root, image.data)}"`);
    expect(fly).toMatch(/force_https = true/);
    expect(fly).toMatch(/kill_signal = "SIGTERM"/);
    expect(fly).toMatch(/path = "\/healthz"/);
  });

  test("stops at the start, in one line, where a secret is missing", async () => {
    const { ended, output } = spawnIn(image.folder, "node", ["server.ts"], { ...image.env, APP_ORIGIN: ORIGIN });
    expect(await ended).toBe(1);
    expect(output()).toContain("SESSION_SECRET is required");
  });
});

test("one machine with SQLite and files on its volume: it lives, stops when told, and is the same after that", async () => {
  const written = () => everythingIn(image.folder);
  const before = written();
  const first = await startContainer({});
  const { family, id } = await live(first);
  const [program = "", ...check] = image.health;
  expect(await spawnIn(image.folder, program, check, first.env).ended).toBe(0);
  expect(peakMegabytes(first.pid)).toBeLessThan(512);
  expect(await first.stop("SIGTERM")).toBe(0);
  expect(await spawnIn(image.folder, program, check, first.env).ended).toBe(1);
  expect(written()).toEqual(before);

  // npm is not there: whoever starts it by hand has nothing installed or built.
  const second = await startContainer({}, ["node", "bin/start.js"]);
  const again = second.visitor();
  await again.post("/api/auth/login", { email: family.email, password: family.password });
  expect((await again.get(`/api/documents/${id}/download`)).bytes.equals(textOf(100_000))).toBe(true);
  expect(await second.stop("SIGINT")).toBe(0);
  expect(written()).toEqual(before);
});

test("PostgreSQL and a bucket: two machines may start at once on an empty database, and both serve", async () => {
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
  expect((await elsewhere.get(`/api/documents/${id}/download`)).bytes.equals(textOf(100_000))).toBe(true);
  expect(await Promise.all([one.stop(), other.stop()])).toEqual([0, 0]);
  await s3.stop();
  await postgres.stop();
});

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

/** The most memory that a process ever had, in MB; 0 where the system does not say. */
function peakMegabytes(pid: number | undefined): number {
  const file = `/proc/${pid}/status`;
  const [, kilobytes = "0"] = (existsSync(file) && /VmHWM:\s+(\d+)/.exec(readFileSync(file, "utf8"))) || [];
  console.log(`peak ${Math.round(Number(kilobytes) / 1024)} MB`);
  return Number(kilobytes) / 1024;
}
