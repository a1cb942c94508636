// Holds the structure of the code: layers and their imports, sizes, routes, and the files sent to browsers.
import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { routePaths, routeFiles } from "./support/route-table.ts";
import { filesBelow, read, testLengths } from "./support/source-files.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const MAX_FILE_LINES = 250;
const MAX_TEST_FILE_LINES = 500;
const MAX_FOLDER_FILES = 40;
const MAX_TEST_LINES = 60;

/** Importers on top: a layer may import from the layers below it, and its members don't import each other. */
const LAYERS = [
  ["server.ts"],
  ["routes.ts", "root.tsx", "entry.server.tsx", "dashboard"],
  ["families"],
  ["process"],
  ["data-rights", "openapi"],
  ["video", "consultation-requests", "backup", "compliance"],
  ["checkout"],
  ["booking", "documents"],
  ["intake", "messages", "consents"],
  ["accounts"],
  ["practice", "payments", "files", "mail"],
  ["audit"],
  ["http", "ui"],
  ["db"],
  ["env.server.ts"],
  [
    "app.css",
    "clock.ts",
    "time-units.ts",
    "env-schema.server.ts",
    "excerpt.ts",
    "file-age.server.ts",
    "file-modes.server.ts",
    "format-count-with-noun.ts",
    "normalize-email.ts",
    "operator-error.ts",
    "periodic-job.ts",
    "secret-token.server.ts",
    "serial-queue.ts",
    "wording-names.ts",
  ],
  ["normalize-unicode.ts", "sum.ts"],
];

/** The folder whose queries decide what a table's rows mean. */
const TABLE_OWNERS: Record<string, string> = {
  user: "accounts",
  session: "accounts",
  passwordReset: "accounts",
  recoveryCode: "accounts",
  secondFactor: "accounts",
  passkey: "accounts",
  termsAcceptance: "accounts",
  usedPasskeyChallenge: "accounts",
  intakeForm: "intake",
  intakeFormVersion: "intake",
  draft: "intake",
  appointment: "booking",
  appointmentClaim: "booking",
  invitation: "booking",
  hoursOverride: "booking",
  hold: "booking",
  practiceSettings: "practice",
  payment: "checkout",
  paymentTransition: "checkout",
  paymentScript: "checkout",
  refund: "checkout",
  document: "documents",
  consultationRequest: "consultation-requests",
  callPresence: "video",
  callSignal: "video",
  rateLimit: "http",
  familyNote: "booking",
  followUp: "booking",
  message: "mail",
  mailOptOut: "mail",
  messageWording: "mail",
  emailConfirmation: "accounts",
  emailChange: "accounts",
  calendarFeed: "booking",
  consent: "consents",
  complianceCase: "compliance",
  erasedAccount: "backup",
  auditEntry: "audit",
  auditHead: "audit",
  holdUsage: "booking",
  waitingListEntry: "booking",
  waitingListOffer: "booking",
  visitAnswer: "booking",
};
/** The folders that query tables of others today. The list may only become shorter. */
const FOREIGN_QUERIES: Record<string, string[]> = {
  // The cleanup of expired rows, and whether a family's first visit has taken place.
  accounts: ["appointment", "appointmentClaim", "complianceCase", "consultationRequest", "draft", "invitation"],
  backup: [
    "appointmentClaim",
    "calendarFeed",
    "document",
    "emailChange",
    "emailConfirmation",
    "invitation",
    "message",
    "passwordReset",
    "session",
  ],
  booking: ["consultationRequest", "draft", "intakeForm", "payment", "user"],
  checkout: ["appointment", "hold"],
  "consultation-requests": ["user"],
  dashboard: ["appointment", "document", "user"],
  documents: ["appointment"],
  families: ["document", "payment", "user"],
  // The copy of everything that is held about one family, and its erasure.
  "data-rights": [
    "appointment",
    "complianceCase",
    "consent",
    "consultationRequest",
    "document",
    "draft",
    "erasedAccount",
    "familyNote",
    "followUp",
    "hold",
    "intakeForm",
    "intakeFormVersion",
    "invitation",
    "message",
    "payment",
    "refund",
    "user",
    "waitingListEntry",
  ],
  video: ["appointment"],
};

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
  "/forgot-password",
  "/confirm-email/:token",
  "/claim-visit/:token",
  "/appointments/new",
  "/appointments/pay",
  "/dashboard/settings",
  "/dashboard/settings/calendar",
  "/dashboard/settings/data",
  "/dashboard/settings/delete-account",
];
const CONTRACT = [
  "/api/auth/me",
  "/api/auth/register",
  "/api/auth/login",
  "/api/auth/logout",
  "/api/auth/change-password",
  "/api/auth/second-factor",
  "/api/auth/second-factor/confirm",
  "/api/auth/sessions",
  "/api/auth/sessions/:id",
  "/api/auth/forgot-password",
  "/api/auth/reset-password",
  "/api/auth/confirm-email",
  "/api/appointments",
  "/api/appointments/:id",
  "/api/appointments/availability",
  "/api/appointments/in-person",
  "/api/appointments/from-consultation",
  "/api/calendar-feed",
  "/api/consultation-requests",
  "/api/consultation-requests/:id",
  "/api/users/:id",
  "/api/me/access-log",
  "/api/intake-form/check",
  "/api/intake-forms",
  "/api/documents",
  "/api/documents/:id",
  "/api/documents/:id/download",
  "/api/payments/config",
  "/api/payments/process",
  "/api/payments/webhook",
  "/api/me",
  "/api/me/keep",
  "/api/me/export",
  "/api/*",
];

/** Names of tables to names of models: `day_hours` is `hoursOverride`. */
const MODELS = new Map(
  [...read("prisma/models.prisma").matchAll(/^model (\w)(\w*) \{[^}]*@@map\("(\w+)"\)/gm)].map(
    ([, first = "", rest = "", table = ""]) => [table, first.toLowerCase() + rest],
  ),
);
const sources = filesBelow("app").filter((file) => /\.tsx?$/.test(file));
const ourCode = [...sources, ...filesBelow("bin"), ...filesBelow("tests"), "server.ts"].filter((file) =>
  /\.[jt]sx?$/.test(file),
);

describe("the folders", () => {
  test("the import scan finds more than 50 source files and 150 imports", () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.flatMap(importsOf).length).toBeGreaterThan(150);
  });

  test("every table has an owning folder", () => {
    expect([...MODELS.values()].toSorted()).toEqual(Object.keys(TABLE_OWNERS).toSorted());
  });

  test("every file of app/ belongs to a layer", () => {
    expect(sources.filter((file) => layerOf(file) === -1)).toEqual([]);
  });

  test("no file imports from a higher layer, or from another folder of its own layer", () => {
    const wrong = sources.flatMap((file) =>
      importsOf(file)
        .filter(({ target }) => target.startsWith("app/") && !target.includes("+types") && !mayImport(file, target))
        .map(({ target }) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test("no file imports root.tsx", () => {
    expect(sources.filter((file) => importsOf(file).some(({ target }) => target === "app/root.tsx"))).toEqual([]);
  });

  test("only the folder that owns a table queries it, but for the listed exceptions", () => {
    const foreign: Record<string, Set<string>> = {};
    for (const file of sources.filter((each) => each.includes(".server."))) {
      for (const table of tablesIn(file)) {
        if (TABLE_OWNERS[table] !== placeOf(file)) (foreign[placeOf(file)] ??= new Set()).add(table);
      }
    }
    const sorted = Object.entries(foreign).map(([folder, tables]) => [folder, [...tables].toSorted()]);
    expect(Object.fromEntries(sorted)).toEqual(FOREIGN_QUERIES);
  });

  test("no folder has more than 40 files, not counting subfolders", () => {
    const counts = new Map<string, number>();
    for (const file of ["app", "bench", "bin", "docs", "prisma", "tests"].flatMap(filesBelow)) {
      const folder = path.dirname(file);
      if (!/\/client(\/|$)/.test(folder)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect(counts.get("app/ui")).toBeGreaterThan(20);
    expect([...counts].filter(([, count]) => count > MAX_FOLDER_FILES)).toEqual([]);
  });

  test("no folder has a generic name such as utils", () => {
    const folders = new Set([...sources, ...filesBelow("tests")].flatMap((file) => path.dirname(file).split("/")));
    expect(
      [...folders].filter((name) =>
        /^(utils?|libs?|helpers?|services?|components|routes|common|shared|misc)$/.test(name),
      ),
    ).toEqual([]);
  });
});

describe("the files", () => {
  test("no file has more than 250 lines, no test file more than 500", () => {
    const long = ourCode.map((file) => [file, read(file).split("\n").length - 1] as const);
    const limitOf = (file: string) => (file.endsWith(".test.ts") ? MAX_TEST_FILE_LINES : MAX_FILE_LINES);
    expect(long.filter(([file, lines]) => lines > limitOf(file))).toEqual([]);
  });

  test("every test file begins with one sentence that says what it proves", () => {
    const isTest = (file: string) => /^tests\/.*\.(test|spec)\.ts$/.test(file);
    const files = filesBelow("tests").filter(isTest);
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => !/^\/\/ (Proves|Holds),? \S[^\n]{20,}/.test(read(file)))).toEqual([]);
  });

  test("no test is longer than 60 lines", () => {
    const tooLong = filesBelow("tests").flatMap((file) =>
      /\.(test|spec)\.ts$/.test(file) ? testLengths(file).filter(({ lines }) => lines > MAX_TEST_LINES) : [],
    );
    expect(tooLong).toEqual([]);
  });

  test("every path in a client chunk pattern of vite.config.ts is a prefix of an existing file", () => {
    const names = [...read("vite.config.ts").matchAll(/"(app\/[^"]+)"/g)].flatMap(([, pattern]) =>
      alternatives(pattern!),
    );
    expect(names.length).toBeGreaterThan(10);
    const files = filesBelow("app");
    const isPrefix = (name: string) => files.some((file) => file.startsWith(name.replaceAll("\\\\", "")));
    expect(names.filter((name) => !isPrefix(name))).toEqual([]);
  });

  test("no test runner is configured to retry failed tests", () => {
    for (const file of ["vitest.config.ts", "playwright.config.ts", "tests/run.js"])
      expect([file, /\bretr(y|ies)\b/.test(read(file))]).toEqual([file, false]);
  });

  test("only server files, API files and routes import values from server files and Node.js modules", () => {
    const mayUseServer = (file: string) =>
      file.includes(".server.") || /(^|-|\/)api\.ts$/.test(file) || routeFiles.has(file);
    const wrong = sources
      .filter((file) => !mayUseServer(file) && file !== "app/root.tsx" && file !== "app/routes.ts")
      .flatMap((file) =>
        importsOf(file)
          .filter(({ target, isType }) => !isType && (target.includes(".server.") || target.startsWith("node:")))
          .map(({ target }) => `${file} imports ${target}`),
      );
    expect(wrong.filter((each) => !each.startsWith("app/accounts/passwords/password-worker.ts"))).toEqual([]);
  });

  test("in app/ only env.server.ts reads process.env", () => {
    expect(sources.filter((file) => read(file).includes("process.env"))).toEqual(["app/env.server.ts"]);
  });

  test("server files take the time from clock.ts", () => {
    const readers = sources.filter(
      (file) => /new Date\(\)|Date\.now\(\)/.test(read(file)) && file.includes(".server."),
    );
    expect(readers).toEqual([]);
  });

  test("no page has inline styles, unescaped HTML or unescaped SQL", () => {
    expect(
      sources.filter((file) =>
        /\sstyle=\{|dangerouslySetInnerHTML|\$queryRawUnsafe|\$executeRawUnsafe/.test(read(file)),
      ),
    ).toEqual([]);
  });

  test("only normalize-unicode.ts calls normalize()", () => {
    expect(sources.filter((file) => /\.normalize\(/.test(read(file)))).toEqual(["app/normalize-unicode.ts"]);
  });

  test("no file has a marker for unfinished work, and no test is skipped or focused", () => {
    const unfinished = new RegExp(["TO", "DO|FIX", "ME|\\.(skip|only|to", "do)\\("].join(""));
    expect(ourCode.filter((file) => unfinished.test(read(file)))).toEqual([]);
  });
});

describe("packages and secrets", () => {
  test("every package comes from npm's registry with its hash in the lock file", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, Record<string, unknown>> };
    const foreign = Object.entries(packages).filter(
      ([name, { integrity, resolved = "https://registry.npmjs.org/" }]) => {
        const isInside = packages[path.dirname(path.dirname(name))]?.inBundle === true;
        return name !== "" && !isInside && !(integrity && String(resolved).startsWith("https://registry.npmjs.org/"));
      },
    );
    expect(foreign.map(([name]) => name)).toEqual([]);
  });

  test("no file contains a secret key", () => {
    const key =
      /-----BEGIN [A-Z ]*PRIVATE KEY|\bEAAA[\w-]{40,}|\bsq0[a-z]{3}-[\w-]{20,}|\bAKIA[0-9A-Z]{16}\b|\bghp_\w{30,}/;
    const files = [...ourCode, ".env.example", "README.md", "Dockerfile", "fly.toml", "docs/operations.md"];
    expect(files.filter((file) => key.test(read(file)))).toEqual([]);
  });
});

describe("the route table", () => {
  const paths = new Set(routePaths.map(({ path }) => path));

  test.each([...SPECIFIED_PAGES, ...DECIDED_PAGES])("has the page %s", (page) => {
    expect(paths).toContain(page);
  });

  test.each(CONTRACT)("has the API path %s", (call) => {
    expect(paths).toContain(call);
  });

  test("only these pages are open to visitors who are not signed in", () => {
    const open = routePaths.filter(({ layouts }) => !layouts.includes("app/accounts/signed-in-layout.tsx"));
    const pages = open.filter(({ path }) => !path.startsWith("/api/")).map(({ path }) => path);
    expect(pages.toSorted()).toEqual([
      "/",
      "/*",
      "/accessibility",
      "/account-deleted",
      // The secret in the address is the permission.
      "/calendar/:file",
      "/claim-visit/:token",
      "/comfort",
      "/confirm-email/:token",
      "/forgot-password",
      "/hipaa-compliance",
      "/invitation/:token",
      // Asks for the session of a family that asked for its erasure.
      "/keep-account",
      "/legal-request",
      "/login",
      "/login/code",
      "/login/passkey",
      "/logout",
      // Asks for a session itself.
      "/passkeys",
      "/privacy-policy",
      "/register",
      "/request-consultation",
      "/reset-password/:token",
      // Asks for a session itself.
      "/second-factor",
      // Replaces the card provider's own page, which needs no sign-in either; only with the simulator.
      "/simulated-checkout/:id",
      "/terms-of-service",
      "/undo-email-change/:token",
      "/unsubscribe/:token",
    ]);
  });
});

describe("the files sent to browsers", () => {
  const scripts = () => filesBelow("build/client").filter((file) => file.endsWith(".js"));

  test("contain no zod schema", () => {
    expect(scripts().length).toBeGreaterThan(5);
    expect(scripts().filter((file) => /ZodError|ZodType|invalid_type|unrecognized_keys/.test(read(file)))).toEqual([]);
  });

  test("include the licenses of the packages that they contain, and of no development tool", () => {
    const notices = read("build/client/static/third-party-notices.txt");
    const { dependencies } = JSON.parse(read("package.json")) as { dependencies: Record<string, string> };
    const shipped = Object.entries({ ...dependencies, tailwindcss: "", scheduler: "", cookie: "" });
    expect(shipped.filter(([name, version]) => !notices.includes(`\n${name} ${version}`))).toEqual([]);
    expect(notices).toMatch(/Permission is hereby granted, free of charge[^]*SIL|SIL[^]*Permission is hereby granted/);
    expect(notices).not.toMatch(/^(vitest|playwright|oxlint) \d/m);
    expect(notices.length).toBeLessThan(300_000);
  });

  test("contain no database client or secret setting, and no source map", () => {
    expect(
      scripts().filter((file) => /PrismaClient|SESSION_SECRET|DATABASE_URL|ADMIN_PASSWORD/.test(read(file))),
    ).toEqual([]);
    expect(filesBelow("build/client").filter((file) => file.endsWith(".map"))).toEqual([]);
  });
});

const NAMED_PATH = /(?<![@\w./-])(?:app|bench|bin|docs|prisma|tests)\/[\w./-]*\w|(?<=\]\()[\w./-]+(?=[)#])/g;

describe.each(["docs/glossary.md", "docs/product.md", "README.md"])("%s", (document) => {
  test("names only files and folders that exist", () => {
    const paths = [...read(document).matchAll(NAMED_PATH)].map(([name]) => name);
    const places = (name: string) => [name, path.join(path.dirname(document), name)];
    expect(paths.length).toBeGreaterThan(2);
    expect(paths.filter((name) => !places(name).some((each) => existsSync(path.join(ROOT, each))))).toEqual([]);
  });
});

function mayImport(file: string, target: string): boolean {
  const [from, to] = [layerOf(file), layerOf(target)];
  return placeOf(file) === placeOf(target) || to > from || (file === "app/root.tsx" && to >= from);
}

function layerOf(file: string): number {
  return LAYERS.findIndex((layer) => layer.includes(placeOf(file)));
}

/** The folder of `app/`, or the file when it is in `app/` itself. */
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

/** The models that a file queries through Prisma, or names in SQL after FROM, JOIN, INTO, UPDATE. */
function tablesIn(file: string): string[] {
  const text = read(file);
  const calls = text.matchAll(/\b(?:db|database|transaction|tx)\.([a-z]\w+)\.[a-z]\w+\(/g);
  const models = [...calls].map(([, name]) => name);
  const namesInSql = text.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE) "?([a-z_]+)\b/g);
  const inSql = [...namesInSql].map(([, name]) => MODELS.get(name ?? ""));
  return [...models, ...inSql].filter((name): name is string => name !== undefined && name in TABLE_OWNERS);
}

/** The paths that a regular expression of groups and alternatives stands for; an excluded one counts as one of them. */
function alternatives(pattern: string): string[] {
  const group = /\((?:\?!)?([^()]*)\)/.exec(pattern);
  if (!group) return pattern.split("|");
  return group[1]!.split("|").flatMap((each) => alternatives(pattern.replace(group[0], each)));
}

/** A formatted test ends at the first line that closes it with the indentation of its own. */
