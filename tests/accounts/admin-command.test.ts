// Proves `npm run admin`: setting a password and removing an administrator on the machine.
import { describe, expect, test } from "vitest";
import { signInAs } from "../support/people.ts";
import { runCommand } from "../support/servers/server-process.ts";
import { adminEmail, adminPassword, db, environment, family, origin } from "../support/site.ts";

/** As `npm run admin -- …` runs it once everything is installed and built. */
function admin(args: string[], typed = "") {
  return runCommand(["bin/admin.js", ...args], { ...environment, ON_PINNED_NODE: "1" }, typed);
}

describe("the admin command", () => {
  test("sets the consultant's password and ends her session", async () => {
    const open = await signInAs(origin, adminEmail, adminPassword);
    const { code, output } = await admin(["password", adminEmail], "a brand new password\n");
    expect([code, output]).toEqual([0, expect.not.stringContaining("a brand new password")]);
    expect((await open.get("/api/auth/me")).status).toBe(401);
    await expect(signInAs(origin, adminEmail, adminPassword)).rejects.toThrow("401");
    expect((await signInAs(origin, adminEmail, "a brand new password")).cookies.has("session")).toBe(true);
  });

  test("deletes password links and sessions with both subcommands, and second factors when setting a password", async () => {
    const [known, demoted] = [await family(), await family()];
    await db.user.update({ where: { id: demoted.id }, data: { isAdmin: true, isClient: false } });
    const expiresAt = new Date(Date.now() + 3_600_000);
    for (const { id } of [known, demoted])
      await db.passwordReset.create({ data: { tokenHash: `link of ${id}`, userId: id, expiresAt } });
    await db.secondFactor.create({ data: { userId: known.id, secret: "lost", confirmedAt: new Date() } });
    await db.recoveryCode.create({ data: { userId: known.id, codeHash: "lost" } });
    await db.passkey.create({ data: { userId: known.id, name: "Lost", credentialId: "lost", publicKey: "-" } });
    expect((await admin(["password", known.email], "a brand new password\n")).code).toBe(0);
    expect((await admin(["remove", demoted.email])).code).toBe(0);
    expect(await db.passwordReset.count()).toBe(0);
    const left = [await db.secondFactor.count(), await db.recoveryCode.count(), await db.passkey.count()];
    expect(left).toEqual([0, 0, 0]);
    expect(await db.session.count({ where: { userId: { in: [known.id, demoted.id] } } })).toBe(0);
  });

  test("generates a password when none is typed, and prints it separated by whitespace", async () => {
    const { code, output } = await admin(["password", adminEmail.toUpperCase()]);
    expect(code).toBe(0);
    const candidates = output.split(/\s+/).filter((word) => /^[\w-]{12,}$/.test(word));
    const tries = await Promise.allSettled(candidates.map((word) => signInAs(origin, adminEmail, word)));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("removes an administrator's rights from the next request on (401)", async () => {
    const other = await family();
    await db.user.update({ where: { id: other.id }, data: { isAdmin: true, isClient: false } });
    expect((await other.get("/api/consultation-requests")).status).toBe(200);
    const { code } = await admin(["remove", other.email]);
    expect(code).toBe(0);
    expect((await db.user.findUniqueOrThrow({ where: { id: other.id } })).isAdmin).toBe(false);
    expect((await other.get("/api/consultation-requests")).status).toBe(401);
  });

  test.each([
    ["a password that is too short", ["password", adminEmail], "12345\n"],
    ["a password of eleven characters for the consultant", ["password", adminEmail], "eleven char\n"],
    ["a common password", ["password", adminEmail], "password123\n"],
    ["a password longer than bcrypt's 72 bytes", ["password", adminEmail], `${"x".repeat(73)}\n`],
    ["an unknown address", ["password", "nobody@example.com"], "a brand new password\n"],
    ["removing an unknown administrator", ["remove", "nobody@example.com"], ""],
    ["no command", [], ""],
    ["an unknown command", ["promote", adminEmail], ""],
    ["a command without an address", ["password"], ""],
  ])("exits with code 1 and a one-line error, and changes no user: %s", async (_, args, typed) => {
    const before = await db.user.findMany({ orderBy: { id: "asc" } });
    const { code, output } = await admin(args, typed);
    expect(code).toBe(1);
    expect(output.trim()).toMatch(/^[^\n]{10,}$/);
    expect(await db.user.findMany({ orderBy: { id: "asc" } })).toEqual(before);
  });
});
