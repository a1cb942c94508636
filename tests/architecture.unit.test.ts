import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { routePaths, routeFiles } from "./support/route-table.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const LONGEST_FILE_LINES = 250;
const LONGEST_TEST_LINES = 500;

/** Callers on top; nobody imports from a floor above, nor from a neighbour on the same one. */
const FLOORS = [
  ["server.ts"],
  ["routes.ts", "root.tsx", "entry.server.tsx", "dashboard", "families"],
  ["video", "consultations", "backup"],
  ["checkout"],
  ["booking", "documents"],
  ["intake"],
  ["accounts"],
  ["practice", "payments", "files"],
  ["http", "ui"],
  [
    "app.css",
    "db",
    "env.server.ts",
    "env-schema.server.ts",
    "clock.ts",
    "normalize-email.ts",
    "operator-error.ts",
    "db/field-encryption.server.ts",
    "db/encrypted-fields.server.ts",
    "db/reencrypt.server.ts",
    "db/file-modes.server.ts",
  ],
];
/** The ground is one piece; everywhere else neighbours don't know each other. */
const GROUND = FLOORS.length - 1;

const SPECIFIED_PAGES = [
  "/",
  "/login",
  "/register",
  "/dashboard",
  "/appointments",
  "/documents",
  "/video-call/:appointmentId",
  "/hipaa-compliance",
  "/privacy-policy",
  "/terms-of-service",
  "/accessibility",
  "/*",
];
const DECIDED_PAGES = [
  "/request-consultation",
  "/reset-password/:token",
  "/claim-visit/:token",
  "/appointments/new",
  "/appointments/pay",
  "/dashboard/settings",
];
const CONTRACT = [
  "/api/auth/me",
  "/api/auth/register",
  "/api/auth/login",
  "/api/auth/logout",
  "/api/auth/change-password",
  "/api/appointments",
  "/api/appointments/:id",
  "/api/appointments/availability",
  "/api/appointments/in-person",
  "/api/appointments/from-consultation",
  "/api/consultation-requests",
  "/api/consultation-requests/:id",
  "/api/users/:id",
  "/api/intake-form/check",
  "/api/intake-forms",
  "/api/documents",
  "/api/documents/:id",
  "/api/documents/:id/download",
  "/api/payments/config",
  "/api/payments/process",
  "/api/payments/webhook",
  "/api/*",
];

const sources = filesBelow("app").filter((file) => /\.tsx?$/.test(file));
const ourCode = [...sources, ...filesBelow("bin"), ...filesBelow("tests"), "server.ts"].filter((file) =>
  /\.[jt]sx?$/.test(file),
);

describe("the folders", () => {
  test("the house is not empty", () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.flatMap(importsOf).length).toBeGreaterThan(150);
  });

  test("every file stands on a floor", () => {
    expect(sources.filter((file) => floorOf(file) === -1)).toEqual([]);
  });

  test("nobody imports from a floor above or from a neighbour", () => {
    const wrong = sources.flatMap((file) =>
      importsOf(file)
        .filter(({ target }) => target.startsWith("app/") && !target.includes("+types") && !mayImport(file, target))
        .map(({ target }) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test("nobody imports the page around all pages", () => {
    const importers = sources.filter((file) => importsOf(file).some(({ target }) => target === "app/root.tsx"));
    expect(importers).toEqual([]);
  });

  test("no folder is a drawer for anything", () => {
    const folders = new Set([...sources, ...filesBelow("tests")].flatMap((file) => path.dirname(file).split("/")));
    expect(
      [...folders].filter((name) =>
        /^(utils?|libs?|helpers?|services?|components|routes|common|shared|misc)$/.test(name),
      ),
    ).toEqual([]);
  });
});

describe("the files", () => {
  test("none is too long to read in one go", () => {
    const long = ourCode.map((file) => [file, read(file).split("\n").length - 1] as const);
    const limitOf = (file: string) => (file.endsWith(".test.ts") ? LONGEST_TEST_LINES : LONGEST_FILE_LINES);
    expect(long.filter(([file, lines]) => lines > limitOf(file))).toEqual([]);
  });

  test("rules and views leave the server's files to doors, loaders and actions", () => {
    const isDoor = (file: string) => file.includes(".server.") || /(^|-|\/)api\.ts$/.test(file) || routeFiles.has(file);
    const wrong = sources
      .filter((file) => !isDoor(file) && file !== "app/root.tsx" && file !== "app/routes.ts")
      .flatMap((file) =>
        importsOf(file)
          .filter(({ target, isType }) => !isType && (target.includes(".server.") || target.startsWith("node:")))
          .map(({ target }) => `${file} imports ${target}`),
      );
    expect(wrong.filter((line) => !line.startsWith("app/accounts/password-worker.ts"))).toEqual([]);
  });

  test("only the checked environment reads the environment", () => {
    const readers = sources.filter((file) => read(file).includes("process.env"));
    expect(readers).toEqual(["app/env.server.ts"]);
  });

  test("only the clock asks what time it is", () => {
    const askers = sources.filter((file) => /new Date\(\)|Date\.now\(\)/.test(read(file)) && file.includes(".server."));
    expect(askers).toEqual([]);
  });

  test("no page carries a style of its own or hands HTML past React", () => {
    expect(
      sources.filter((file) =>
        /\sstyle=\{|dangerouslySetInnerHTML|\$queryRawUnsafe|\$executeRawUnsafe/.test(read(file)),
      ),
    ).toEqual([]);
  });

  test("nothing is left to be done later, and no test is skipped", () => {
    const word = new RegExp(["TO", "DO|FIX", "ME|\\.(skip|only|to", "do)\\("].join(""));
    expect(ourCode.filter((file) => word.test(read(file)))).toEqual([]);
  });
});

describe("what comes from elsewhere", () => {
  test("every package is from npm's registry and has its hash written down", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, Record<string, unknown>> };
    const foreign = Object.entries(packages).filter(
      ([name, { integrity, resolved = "https://registry.npmjs.org/" }]) => {
        const isInside = packages[path.dirname(path.dirname(name))]?.inBundle === true;
        return name !== "" && !isInside && !(integrity && String(resolved).startsWith("https://registry.npmjs.org/"));
      },
    );
    expect(foreign.map(([name]) => name)).toEqual([]);
  });

  test("no key of anybody stands in a file", () => {
    const key =
      /-----BEGIN [A-Z ]*PRIVATE KEY|\bEAAA[\w-]{40,}|\bsq0[a-z]{3}-[\w-]{20,}|\bAKIA[0-9A-Z]{16}\b|\bghp_\w{30,}/;
    const texts = [...ourCode, ".env.example", "README.md", "Dockerfile", "fly.toml", "docs/operations.md"];
    expect(texts.filter((file) => key.test(read(file)))).toEqual([]);
  });
});

describe("the addresses", () => {
  const paths = new Set(routePaths.map(({ path }) => path));

  test.each([...SPECIFIED_PAGES, ...DECIDED_PAGES])("the page %s stands in the route table", (page) => {
    expect(paths).toContain(page);
  });

  test.each(CONTRACT)("the call %s stands in the route table", (call) => {
    expect(paths).toContain(call);
  });

  test("only these stand outside the signed-in layout", () => {
    const open = routePaths.filter(({ layouts }) => !layouts.includes("app/accounts/signed-in-layout.tsx"));
    const pages = open.filter(({ path }) => !path.startsWith("/api/")).map(({ path }) => path);
    expect(pages.toSorted()).toEqual([
      "/",
      "/*",
      "/accessibility",
      "/claim-visit/:token",
      "/comfort",
      "/hipaa-compliance",
      "/login",
      "/logout",
      "/privacy-policy",
      "/register",
      "/request-consultation",
      "/reset-password/:token",
      // The stand-in for the card provider's own page, which asks for no sign-in either; only with the simulator.
      "/simulated-checkout/:id",
      "/terms-of-service",
    ]);
  });
});

describe("what is sent to browsers", () => {
  const scripts = () => filesBelow("build/client").filter((file) => file.endsWith(".js"));

  test("the schemas stay on the server", () => {
    expect(scripts().length).toBeGreaterThan(5);
    expect(scripts().filter((file) => /ZodError|ZodType|invalid_type|unrecognized_keys/.test(read(file)))).toEqual([]);
  });

  test("the licenses of all that is shipped are served with it, and those of mere tools are not", () => {
    const notices = read("build/client/static/third-party-notices.txt");
    const { dependencies } = JSON.parse(read("package.json")) as { dependencies: Record<string, string> };
    const shipped = Object.entries({ ...dependencies, tailwindcss: "", scheduler: "", cookie: "" });
    expect(shipped.filter(([name, version]) => !notices.includes(`\n${name} ${version}`))).toEqual([]);
    expect(notices).toMatch(/Permission is hereby granted, free of charge[^]*SIL|SIL[^]*Permission is hereby granted/);
    expect(notices).not.toMatch(/^(vitest|playwright|oxlint) \d/m);
    expect(notices.length).toBeLessThan(300_000);
  });

  test("nothing of the database, the environment or a source map is among it", () => {
    expect(
      scripts().filter((file) => /PrismaClient|SESSION_SECRET|DATABASE_URL|ADMIN_PASSWORD/.test(read(file))),
    ).toEqual([]);
    expect(filesBelow("build/client").filter((file) => file.endsWith(".map"))).toEqual([]);
  });
});

function mayImport(file: string, target: string): boolean {
  if (placeOf(file) === placeOf(target)) return true;
  const [from, to] = [floorOf(file), floorOf(target)];
  return to > from || (from === GROUND && to === GROUND) || (file === "app/root.tsx" && to >= from);
}

function floorOf(file: string): number {
  return FLOORS.findIndex((floor) => floor.includes(placeOf(file)));
}

/** The folder of `app/`, or the file when it stands in `app/` itself. */
function placeOf(file: string): string {
  return file.split("/")[1] ?? file;
}

function importsOf(file: string): { target: string; isType: boolean }[] {
  const pattern = /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"|import\("([^"]+)"\)/g;
  return [...read(file).matchAll(pattern)].map(([, type, fixed, dynamic]) => {
    const name = (fixed ?? dynamic ?? "").replace(/\?.*$/, "");
    const target = name.startsWith(".") ? path.posix.join(path.posix.dirname(file), name) : name;
    return { target, isType: type !== undefined };
  });
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}

function filesBelow(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)));
}
