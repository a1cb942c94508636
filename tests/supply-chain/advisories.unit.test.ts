// Proves which advisories fail the check, which waivers count, and what happens when the registry does not answer.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { evaluateReport, readWaivers } from "../support/advisories.js";
import { temporaryFolder } from "../support/temporary-folder.ts";

const NOW = new Date("2026-11-23T12:00:00Z");
const COMMAND = path.resolve(import.meta.dirname, "../advisories.js");
/** What npm 11 printed of the practice of `startRegistry` below, with one more package of another severity. */
const RECORDED = readFileSync(path.join(import.meta.dirname, "npm-11-audit.json"), "utf8");
const waiver = (changes: object = {}) => ({
  advisory: "GHSA-2222-cccc-3333",
  package: "left-brace",
  reason: "It reads only our own files, which no visitor can change.",
  until: "2026-12-31",
  ...changes,
});

describe("a waiver file is refused", () => {
  test.each([
    ["that is not JSON", "{", /not a JSON list/],
    ["that is not a list", "{}", /not a JSON list/],
    ["that is empty", "", /not a JSON list/],
    ["with an entry that is not a waiver", [null], /Waiver 1 must have/],
    ["without a reason", [{ ...waiver(), reason: undefined }], /must have advisory, package, reason, until/],
    ["with an unknown property", [{ ...waiver(), forever: "yes" }], /nothing else/],
    ["with a number as its end date", [waiver({ until: 20261231 })], /texts alone/],
    ["with a reason of a single word", [waiver({ reason: "later" })], /does not say why/],
    ["with a reason of spaces", [waiver({ reason: " ".repeat(40) })], /does not say why/],
    ["for every advisory", [waiver({ advisory: "*" })], /names no advisory/],
    ["for an advisory given as a number", [waiver({ advisory: "1108263" })], /names no advisory/],
    ["for every package", [waiver({ package: "*" })], /names no package/],
    ["that ended yesterday", [waiver({ until: "2026-11-22" })], /ended on 2026-11-22/],
    ["for 91 days", [waiver({ until: "2027-02-22" })], /more than 90 days: until 2027-02-21 at most/],
    ["until a date that does not exist", [waiver({ until: "2026-11-31" })], /end on a day/],
    ["until a word instead of a date", [waiver({ until: "never" })], /end on a day/],
    ["with a duplicate waiver", [waiver(), waiver()], /Waiver 2 .*twice/],
  ])("%s", (_, entries, problem) => {
    const text = typeof entries === "string" ? entries : JSON.stringify(entries);
    const { waivers, problems } = readWaivers(text, NOW);
    expect([waivers, problems]).toEqual([[], [expect.stringMatching(problem)]]);
  });

  test("but is accepted when its waivers end today or up to 90 days ahead", () => {
    for (const until of ["2026-11-23", "2027-02-21"])
      expect(readWaivers(JSON.stringify([waiver({ until })]), NOW)).toMatchObject({
        problems: [],
        waivers: [{ until }],
      });
  });
});

/** The recorded report with one advisory changed; it stands under its own package. */
function reportWith(changes: object): string {
  const report = JSON.parse(RECORDED);
  Object.assign(report.vulnerabilities["left-brace"].via[0], changes);
  return JSON.stringify(report);
}

describe("the check fails", () => {
  test.each([
    ["for a high advisory", RECORDED, [], [/^left-brace has a high advisory, GHSA-2222-cccc-3333: .*\(https/]],
    ["for a critical advisory", reportWith({ severity: "critical" }), [], [/critical advisory/]],
    ["for an advisory of unknown severity", reportWith({ severity: "severe" }), [], [/severe advisory/]],
    ["for an advisory without a severity", reportWith({ severity: undefined }), [], [/undefined advisory/]],
    [
      "when the waiver is for another advisory",
      RECORDED,
      [waiver({ advisory: "GHSA-4444-ffff-5555" })],
      [/high advisory/, /nothing/],
    ],
    [
      "when the waiver is for a package that depends on it",
      RECORDED,
      [waiver({ package: "right-brace" })],
      [/high advisory/, /nothing/],
    ],
    [
      "for a waiver of an advisory that is no longer high",
      reportWith({ severity: "low" }).replaceAll('"high"', '"low"'),
      [waiver()],
      [/nothing any more/],
    ],
    [
      "for a waiver of a moderate advisory",
      RECORDED,
      [waiver(), waiver({ advisory: "GHSA-6666-gggg-7777", package: "old-brace" })],
      [/GHSA-6666-gggg-7777 for old-brace waives nothing/],
    ],
  ])("%s", (_, report, waivers, problems) => {
    expect(evaluateReport(report, waivers)).toEqual({ problems: problems.map((each) => expect.stringMatching(each)) });
  });

  test("but not for a moderate advisory, a waived one or none", () => {
    expect(JSON.parse(RECORDED).vulnerabilities).toMatchObject({ "old-brace": { severity: "moderate" } });
    expect(evaluateReport(RECORDED, [waiver()])).toEqual({ problems: [] });
    expect(evaluateReport(JSON.stringify({ auditReportVersion: 2, vulnerabilities: {} }), [])).toEqual({
      problems: [],
    });
  });
});

test.each([
  ["nothing", ""],
  ["an HTML page", "<html>502 Bad Gateway</html>"],
  ["null", "null"],
  ["a list", "[]"],
  ["a report of another version", RECORDED.replace('"auditReportVersion": 2', '"auditReportVersion": 3')],
  ["a report without vulnerabilities", '{"auditReportVersion":2}'],
  [
    "vulnerabilities in another format",
    '{"auditReportVersion":2,"vulnerabilities":{"left-brace":{"severity":"high"}}}',
  ],
  [
    "a vulnerability without its advisory",
    '{"auditReportVersion":2,"vulnerabilities":{"x":{"severity":"high","via":["y"]}}}',
  ],
  [
    "an error response",
    '{"message":"405 Method Not Allowed","statusCode":405,"body":"","error":{"summary":"","detail":""}}',
  ],
])("the result is unknown when npm prints %s", (_, text) => {
  expect(evaluateReport(text, [waiver()])).toEqual({ problems: [], unanswered: expect.any(String) });
});

const advisory = {
  id: 1108263,
  url: "https://github.com/advisories/GHSA-2222-cccc-3333",
  title: "left-brace runs what it reads",
  severity: "high",
  vulnerable_versions: "<2.0.0",
  cwe: ["CWE-94"],
  cvss: { score: 8.1, vectorString: "CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H" },
};

/** A registry with two packages, one of which uses the other, and what it answers when it is asked for advisories. */
async function startRegistry(answer: RequestListener) {
  const versions = { "left-brace": ["1.0.0", {}], "right-brace": ["1.0.0", { "left-brace": "^1.0.0" }] } as const;
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? "").slice(1)) as keyof typeof versions;
    if (request.method === "POST") return answer(request, response);
    const [version, dependencies] = versions[name] ?? ["1.0.0", {}];
    const dist = { tarball: `http://registry.example/${name}.tgz`, shasum: "0".repeat(40) };
    const packument = {
      name,
      "dist-tags": { latest: version },
      versions: { [version]: { name, version, dependencies, dist } },
    };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(packument));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** `npm run advisories`, in a project that uses both packages. */
async function checkAdvisories(answer: RequestListener, waivers: object[] = []) {
  const folder = temporaryFolder("advisories");
  const dependencies = { "right-brace": "^1.0.0" };
  const own = { name: "practice", version: "1.0.0", dependencies };
  const packages = {
    "": own,
    "node_modules/left-brace": { version: "1.0.0" },
    "node_modules/right-brace": { version: "1.0.0", dependencies: { "left-brace": "^1.0.0" } },
  };
  mkdirSync(path.join(folder, ".ci"));
  writeFileSync(path.join(folder, "package.json"), JSON.stringify(own));
  writeFileSync(path.join(folder, "package-lock.json"), JSON.stringify({ ...own, lockfileVersion: 3, packages }));
  writeFileSync(path.join(folder, ".ci/advisory-waivers.json"), JSON.stringify(waivers));
  const settings = { npm_config_registry: await startRegistry(answer), npm_config_fetch_retries: "0", HOME: folder };
  const env = {
    ...process.env,
    ...settings,
    npm_config_cache: path.join(folder, "cache"),
    npm_config_offline: "false",
  };
  const child = spawn(process.execPath, [COMMAND], { cwd: folder, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (output += part.toString()));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}

const answerWith =
  (body: object, status = 200): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe("npm run advisories, with npm itself", () => {
  test("exits with 1 for a high advisory and prints it once for both affected packages", async () => {
    const { code, output } = await checkAdvisories(answerWith({ "left-brace": [advisory] }));
    expect([code, output.match(/GHSA-2222-cccc-3333: left-brace runs what it reads/g)]).toEqual([
      1,
      [expect.anything()],
    ]);
  });

  test("exits with 1 for an expired waiver, even when the registry fails", async () => {
    const over = [waiver({ until: inDays(-1) })];
    const { code, output } = await checkAdvisories(answerWith({}, 500), over);
    expect([code, output]).toEqual([1, expect.stringMatching(/advisory-waivers.json:\nWaiver 1 \(GHSA.*ended on/)]);
  });

  test.each([
    ["refuses the request", answerWith({}, 405)],
    ["responds with 500", answerWith({ message: "out of order" }, 500)],
    ["closes the connection", ((request) => void request.socket.destroy()) satisfies RequestListener],
  ])("exits with 2 and a message when the registry %s", async (_, answer) => {
    const { code, output } = await checkAdvisories(answer, [waiver({ until: inDays(9) })]);
    expect([code, output]).toEqual([2, expect.stringContaining("Nothing is known of advisories")]);
  });

  test("exits with 0 for a waived advisory and prints the end date of the waiver", async () => {
    const until = inDays(30);
    const { code, output } = await checkAdvisories(answerWith({ "left-brace": [advisory] }), [waiver({ until })]);
    expect([code, output]).toEqual([0, expect.stringContaining(`GHSA-2222-cccc-3333 is waived until ${until}`)]);
  });
});
