// Proves that the configured meeting place is shown for in-person visits, but not for video visits or in public.
import { expect, test } from "vitest";
import type { MessageContent } from "../../app/mail/message-content.ts";
import { bookOrFail, TEST_NOW } from "../support/bookings.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";

const PLACE = "12 Broad Street, 2nd floor, Long Branch, NJ 07740";
environmentOverrides.PRACTICE_MEETING_PLACE = PLACE;
const { consultant, db, family, setTestClock, visitor } = await import("../support/site.ts");

setTestClock(() => TEST_NOW);

async function whereInMail(appointmentId: number) {
  const mail = await db.message.findFirstOrThrow({ where: { appointmentId, event: "visit-booked" } });
  const { facts } = JSON.parse(mail.content) as MessageContent;
  return facts?.filter(({ label }) => /where|place/i.test(label)).map(({ value }) => value);
}

test("the configured place is in the email, the calendar file, the confirmation and the dashboard", async () => {
  const maria = await family({ intake: true });
  const { id } = await bookOrFail(maria);
  expect(await whereInMail(id)).toEqual([`In person, ${PLACE}`]);
  const calendar = (await maria.get(`/api/appointments/${id}/calendar.ics`)).text.replace(/\r\n /g, "");
  expect(calendar).toContain(`LOCATION:${PLACE.replaceAll(",", "\\,")}`);
  expect(calendar).not.toContain("agree on");
  for (const path of [`/appointments/${id}/booked`, "/dashboard"]) {
    const { visibleText } = await maria.get(path);
    expect([path, visibleText.includes(PLACE), visibleText.includes("agree on")]).toEqual([path, true, false]);
  }
  expect((await (await consultant()).get(`/dashboard/appointments/${id}`)).visibleText).toContain(PLACE);
});

test("a video visit and the public home page don't show the configured place", async () => {
  const maria = await family({ intake: true });
  const { id } = await bookOrFail(maria, { isLiveVideoCall: true });
  expect(await whereInMail(id)).toEqual(["Video visit"]);
  for (const path of [`/appointments/${id}/booked`, "/dashboard"])
    expect((await maria.get(path)).visibleText).not.toContain(PLACE);
  expect((await visitor().get("/")).text).not.toContain("Broad Street");
});
