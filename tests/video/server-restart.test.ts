// Proves that a call goes on after a server restart.
import { describe, expect, inject, test } from "vitest";
import { startServer } from "../support/servers/server-process.ts";
import { connectSignaling } from "../support/signaling-client.ts";

const MINUTE = 60_000;
const template = inject("template");

describe("a server restart during a call", () => {
  test("closes both sockets with code 1012, and both participants can join the room again", async () => {
    const site = await startServer({ template });
    Object.assign(process.env, site.environment);
    const { createDatabaseClient } = await import("../../app/db/database-client.server.ts");
    const database = await createDatabaseClient(site.environment.DATABASE_URL);
    const [maria, hers] = [await site.family(), await site.consultant()];
    const fields = { title: "Hourly Consulting", type: "consultation", isLiveVideoCall: true };
    const start = new Date(Math.floor(Date.now() / MINUTE) * MINUTE);
    const times = { appointmentDate: start, userId: maria.id };
    const { id } = await database.appointment.create({ data: { ...fields, ...times } });
    await database.$disconnect();
    const before = [await connectSignaling(hers, id), await connectSignaling(maria, id)];
    for (const page of before) await page.join();
    site.kill("SIGTERM");
    for (const page of before) expect(await page.closed).toMatchObject({ code: 1012 });
    expect(before.flatMap(({ received: messages }) => messages.map(({ type }) => type))).not.toContain("call-ended");
    expect(await site.ended).toBe(0);

    const again = await startServer({ template, overrides: site.environment });
    const [first, second] = [await connectSignaling(maria, id), await connectSignaling(hers, id)];
    expect(await first.join({ page: "a" })).toMatchObject({ present: ["client"] });
    expect(await second.join({ page: "b" })).toMatchObject({ present: ["client", "admin"], otherPage: "a" });
    expect(await first.next("user-joined")).toMatchObject({ payload: { role: "admin", page: "b" } });
    again.kill("SIGTERM");
    expect(await again.ended).toBe(0);
  });
});
