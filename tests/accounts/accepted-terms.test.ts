// Proves that a family with an outdated terms version is asked to accept the current one, and its answer is stored.
import { expect, test } from "vitest";
import { TERMS_VERSION } from "../../app/practice/site-content.ts";
import { routePaths } from "../support/route-table.ts";
import { consultant, db, family, visitor } from "../support/site.ts";

const PAGE = "/accept-terms";
const ASKED = "Our terms and privacy policy have changed";

const versionOf = async ({ id }: { id: number }) => (await db.user.findUniqueOrThrow({ where: { id } })).termsVersion;

test("a family with the current terms version and the consultant are not asked to accept the terms", async () => {
  const maria = await family();
  expect((await maria.get("/dashboard")).visibleText).not.toContain(ASKED);
  expect((await (await consultant()).get("/dashboard")).visibleText).not.toContain(ASKED);
});

test.each(["2020-01-01", null])(
  "a family with terms version %s is asked on every page to accept the current terms, until it does",
  async (termsVersion) => {
    const maria = await family();
    await db.user.update({ where: { id: maria.id }, data: { termsVersion } });
    const ofMaria = { where: { userId: maria.id }, orderBy: { id: "asc" } } as const;
    const earlier = { userId: maria.id, version: "2020-01-01", acceptedAt: new Date("2020-02-03T15:00Z") };
    if (termsVersion) await db.termsAcceptance.create({ data: earlier });
    const before = await db.termsAcceptance.findMany(ofMaria);
    for (const path of ["/dashboard", "/documents", "/appointments"])
      expect((await maria.get(path)).visibleText).toContain(ASKED);
    const page = await maria.get(PAGE);
    const version = page.document.querySelector('[name="version"]')?.getAttribute("value") ?? "";
    expect([page.status, version, page.visibleText.includes(ASKED)]).toEqual([200, TERMS_VERSION, false]);
    for (const sent of [{}, { version: "" }, { version: "x".repeat(100) }])
      expect((await maria.form(PAGE, sent as never)).status).toBe(422);
    expect((await maria.form(PAGE, { version: "2020-01-01" })).status).toBe(409);
    expect(await versionOf(maria)).toBe(termsVersion);
    const after = await maria.follow(await maria.form(PAGE, { version }));
    expect(after.visibleText).toContain("We've recorded that you agree");
    expect(after.visibleText).not.toContain(ASKED);
    const { termsAcceptedAt } = await db.user.findUniqueOrThrow({ where: { id: maria.id } });
    expect([await versionOf(maria), termsAcceptedAt]).toEqual([TERMS_VERSION, expect.any(Date)]);
    await maria.form(PAGE, { version });
    // What was accepted before stays beside it, so that it shows under which terms a booking was made.
    const history = await db.termsAcceptance.findMany(ofMaria);
    expect(history.slice(0, -1)).toEqual(before);
    expect(history.at(-1)).toMatchObject({ version: TERMS_VERSION, acceptedAt: termsAcceptedAt });
    const { visibleText } = await maria.get("/dashboard/settings/data");
    expect(visibleText).toContain("Those of November 26, 2026, accepted on ");
    expect(visibleText.includes("Those of January 1, 2020, accepted on ")).toBe(termsVersion !== null);
    expect(await db.auditEntry.count({ where: { action: "consent-given", familyId: maria.id } })).toBe(1);
  },
);

test("every page that a family with outdated terms can open asks for them, except the one that shows them", async () => {
  const maria = await family({ intake: true });
  await db.user.update({ where: { id: maria.id }, data: { termsVersion: "2020-01-01" } });
  const pages = routePaths.filter(({ path, file, layouts }) => {
    const isForConsultant = layouts.includes("app/accounts/admin-only-layout.tsx");
    return file.endsWith(".tsx") && !path.includes(":") && path !== "/*" && !isForConsultant;
  });
  const shown: string[] = [];
  const silent: string[] = [];
  for (const { path } of pages) {
    const answer = await maria.get(path);
    if (answer.status === 200 && answer.headers["content-type"]?.startsWith("text/html"))
      (answer.visibleText.includes(ASKED) ? shown : silent).push(path);
  }
  expect(silent).toEqual([PAGE]);
  expect(shown).toEqual(
    expect.arrayContaining(["/dashboard", "/second-factor", "/passkeys", "/access-log", "/appointments"]),
  );
});

test("the accept-terms page and the legal pages show the same date for the current text", async () => {
  const maria = await family();
  expect((await maria.get(PAGE)).visibleText).toContain("the versions in effect since Thursday, November 26, 2026.");
  for (const path of ["/privacy-policy", "/terms-of-service"])
    expect((await visitor().get(path)).visibleText).toContain("In these words since: November 26, 2026");
});

test("a visitor who submits the acceptance is sent to sign in, and the consultant gets 403", async () => {
  const admin = await consultant();
  expect((await visitor().form(PAGE, { version: TERMS_VERSION })).headers.location).toContain("/login");
  expect((await admin.form(PAGE, { version: TERMS_VERSION })).status).toBe(403);
  const administrator = await db.user.findFirstOrThrow({ where: { isAdmin: true } });
  expect(administrator.termsVersion).toBeNull();
});
