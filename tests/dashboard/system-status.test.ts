// Proves what the system status page shows the consultant, that only she can open it, and that it names no family.
import { beforeAll, describe, expect, test } from "vitest";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";

const TOKEN = "a-token-of-the-operator";
Object.assign(environmentOverrides, {
  BACKUP_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
  METRICS_TOKEN: TOKEN,
});
const { consultant, db, family, origin, testing, visitor } = await import("../support/site.ts");

const PATH = "/system-status";
const PARTS = [
  "Database",
  "Documents",
  "Virus scan",
  "Disk space",
  "Backups",
  "Mail",
  "Card payment",
  "Video relay",
  "Safety",
];

let admin: TestClient;
let maria: Family;

beforeAll(async () => {
  admin = await consultant();
  maria = await family({ firstName: "Mariposa", lastName: "Quillfeather" });
  await testing.deliverDueMessages();
});

/** What stands in each row: its badge, and all of its text. */
async function parts(): Promise<Record<string, { badge: string; text: string }>> {
  await testing.refreshWarnings();
  const { document } = await admin.get(PATH);
  const rows = [...document.querySelectorAll("main .rows > li")].map((row) => {
    const text = (row.textContent ?? "").replace(/\s+/g, " ");
    return [row.querySelector("h3")?.textContent, { badge: row.querySelector(".badge")?.textContent, text }];
  });
  return Object.fromEntries(rows) as Record<string, { badge: string; text: string }>;
}

const metrics = async () =>
  (await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text();

function message(state: string, minutes: number) {
  const at = new Date(Date.now() - minutes * 60_000);
  const row = { event: "receipt", userId: maria.id, address: maria.email, content: "{}", state, nextAttemptAt: at };
  // Leased by another process: the site's own job leaves it alone.
  const leased = state === "pending" ? { attempts: 1, nextAttemptAt: new Date(Date.now() + 86_400_000) } : {};
  return db.message.create({ data: { ...row, ...leased, createdAt: at, key: `${state} ${minutes}` } });
}

describe("the consultant's system status", () => {
  test("lists each part with its state, worst first, and the version and start time", async () => {
    const all = await parts();
    expect(Object.keys(all).toSorted()).toEqual(PARTS.toSorted());
    const badges = ["needs attention", "not set up", "OK"];
    const order = Object.values(all).map(({ badge }) => badges.indexOf(badge));
    expect(order).toEqual(order.toSorted((first, second) => first - second));
    expect((await admin.get(PATH)).visibleText).toContain("Not set up: virus scan, mail, video relay.");
    expect(all.Database?.badge).toBe("OK");
    expect(all.Documents?.text).toContain("Working.");
    expect(all["Disk space"]?.text).toMatch(/\d GB of [\d.]+ GB are free\./);
    expect(all["Card payment"]?.text).toContain("no money moves");
    expect(all["Virus scan"]).toMatchObject({ badge: "not set up", text: expect.stringContaining("not scanned") });
    expect(all["Video relay"]).toMatchObject({ badge: "not set up", text: expect.stringContaining("TURN_URLS") });
    expect(all.Mail).toMatchObject({ badge: "not set up", text: expect.stringContaining("folder on this computer") });
    expect((await admin.get(PATH)).visibleText).toContain("The person who installed this site can set up");
    expect((await admin.get(PATH)).visibleText).toMatch(/Version\s*\d+\.\d+\.\d+, build [0-9a-f]{8}, Node\.js 24\./);
    expect((await admin.get(PATH)).visibleText).toMatch(/Running since\s*\w+, \w+ \d+, \d{4}/);
  });

  test("is linked from the consultant's settings, not from a family's", async () => {
    expect((await admin.get("/dashboard/settings")).document.querySelector(`main a[href="${PATH}"]`)?.textContent).toBe(
      "View system status",
    );
    expect((await maria.get("/dashboard/settings")).text).not.toContain(PATH);
  });

  test("shows that backups need attention until one was restored as a test, and why the last backup failed", async () => {
    expect((await parts()).Backups).toMatchObject({
      badge: "needs attention",
      text: expect.stringContaining("none yet"),
    });
    await testing.recordBackupRun("backup", { succeeded: true, summary: "All is in it." });
    const unproven = (await parts()).Backups;
    expect(unproven?.text).toMatch(/The last one was made on .*None has been restored as a test yet\./);
    expect(unproven?.badge).toBe("needs attention");
    await testing.recordBackupRun("rehearsal", { succeeded: true, summary: "Equal." });
    expect((await parts()).Backups).toMatchObject({
      badge: "OK",
      text: expect.stringContaining("One was last restored"),
    });
    await testing.recordBackupRun("backup", { succeeded: false, summary: "The bucket did not answer." });
    expect((await parts()).Backups?.text).toContain("The bucket did not answer.");
  });

  test("shows how long email is pending and how many emails failed, with the same numbers as /metrics", async () => {
    expect((await parts()).Mail?.badge).toBe("not set up");
    const [late, failed] = [await message("pending", 25), await message("failed", 0)];
    await message("failed", 15 * 24 * 60);
    const { badge, text } = (await parts()).Mail!;
    expect(text).toContain("1 email waits, the oldest for 25 minutes.");
    expect(text).toContain("Email goes out late.");
    expect(text).toContain("Email of the last two weeks did not reach 1 person.");
    expect(badge).toBe("needs attention");
    const figures = await metrics();
    expect(figures).toMatch(/^mail\{state="pending"\} 1$/m);
    expect(figures).toMatch(/^mail\{state="failed"\} 1$/m);
    expect(figures).toMatch(/^mail_oldest_pending_seconds 15\d\d$/m);
    await db.message.deleteMany({ where: { id: { in: [late.id, failed.id] } } });
    expect((await parts()).Mail?.badge).toBe("not set up");
  });

  test("shows that documents need attention when the storage does not respond", async () => {
    testing.registerReadinessCheck("storage", async () => false);
    // One result is shared for a second.
    await expect.poll(async () => (await parts()).Documents?.text).toContain("It does not answer.");
    expect((await parts()).Documents?.badge).toBe("needs attention");
    expect((await admin.get(PATH)).visibleText).toMatch(/part needs your attention|parts need your attention/);
    testing.registerReadinessCheck("storage", async () => true);
  });

  test("names no family, even when an account has 20 failed logins", async () => {
    const tried = await family();
    for (let count = 1; count <= 20; count += 1)
      await visitor().post("/api/auth/login", { email: tried.email, password: "not this one" });
    const { badge, text } = (await parts()).Safety!;
    expect(badge).toBe("needs attention");
    expect(text).toContain("Somebody tries many wrong passwords on an account.");
    const page = (await admin.get(PATH)).text;
    expect(
      [maria.email, tried.email, "Quillfeather", `/families/${tried.id}`].filter((each) => page.includes(each)),
    ).toEqual([]);
  });

  test("responds 403 to a family and redirects a visitor to login", async () => {
    const refused = await maria.get(PATH);
    expect(refused.status).toBe(403);
    expect(refused.visibleText).not.toMatch(/Disk space|Backups/);
    expect((await visitor().get(PATH)).headers.location).toBe(`/login?redirectTo=${encodeURIComponent(PATH)}`);
  });
});
