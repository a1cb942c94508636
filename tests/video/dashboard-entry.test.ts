// Proves which families the dashboards show as waiting, and who may enter a room.
import { afterAll, describe, expect, test } from "vitest";
import { family, setTestClock } from "../support/site.ts";
import { connectSignaling } from "../support/signaling-client.ts";
import { startVideoAppointment, setClockFromStart } from "../support/call-scenarios.ts";

afterAll(() => setTestClock(null));

describe("a family's dashboard", () => {
  test("links to the call from 10 minutes before the start until 30 minutes after the end", async () => {
    const { maria, appointment } = await startVideoAppointment(-11);
    const seen = async (minutes: number) => {
      setClockFromStart(minutes);
      const { document: page } = await maria.get("/dashboard");
      return page.querySelector(`main a[href="/video-call/${appointment.id}"]`)?.textContent?.trim();
    };
    expect(await seen(-11)).toBeUndefined();
    expect(await seen(-10)).toBe("Waiting Room");
    expect(await seen(0)).toBe("Join call now");
    expect(await seen(appointment.duration + 30)).toBe("Join call now");
    expect(await seen(appointment.duration + 31)).toBeUndefined();
  });

  test("has no call link for a visit that is canceled or has no video", async () => {
    for (const changes of [{ status: "cancelled" }, { isLiveVideoCall: false }]) {
      const { maria } = await startVideoAppointment(0, changes);
      expect((await maria.get("/dashboard")).document.querySelector('main a[href^="/video-call/"]')).toBeNull();
    }
  });
});

describe("the notice that a family is waiting", () => {
  test("is on every page of the consultant until she joins the room; an unchanged poll gets 304", async () => {
    const { maria, consulting, appointment } = await startVideoAppointment();
    const theirs = await connectSignaling(maria, appointment.id);
    await theirs.join({ waiting: true });
    const waitingText = `${maria.name} is waiting for you.`;
    for (const path of ["/dashboard", "/calendar", "/families", "/requests", "/documents"]) {
      expect((await consulting.get(path)).visibleText).toContain(waitingText);
    }
    const latest = await consulting.get("/dashboard/waiting?refresh");
    expect(latest.json.families).toMatchObject([{ id: appointment.id, name: maria.name }]);
    const again = { "If-None-Match": String(latest.headers.etag) };
    expect((await consulting.get("/dashboard/waiting?refresh", again)).status).toBe(304);

    const hers = await connectSignaling(consulting, appointment.id);
    await hers.join();
    expect((await consulting.get("/dashboard/waiting?refresh", again)).json.families).toEqual([]);
    expect((await consulting.get("/dashboard")).visibleText).not.toContain(waitingText);
  });

  test("is not on a family's dashboard, and a family's request for it gets 403", async () => {
    const { maria, appointment } = await startVideoAppointment();
    await (await connectSignaling(maria, appointment.id)).join({ waiting: true });
    for (const reader of [maria, await family()]) {
      expect((await reader.get("/dashboard")).visibleText).not.toContain("is waiting for you");
      expect((await reader.get("/dashboard/waiting?refresh")).status).toBe(403);
    }
  });
});
