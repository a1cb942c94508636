// Proves that what a family or a visitor writes never runs as script on any page.
import type { Page } from "playwright/test";
import { expect, test } from "../support/browser/playwright-fixtures.ts";

const HIT = "document.documentElement.dataset.hit=1";
/** What somebody may write where a name, a note or a diagnosis is asked for. */
const WORDS = [
  `<script>${HIT}</script>`,
  `"><img src=x onerror=${HIT}>`,
  `</script><script>${HIT}</script>`,
  `<!--<script>${HIT}`,
  `</textarea><svg onload=${HIT}>`,
  `</title><script>${HIT}</script>`,
  `' autofocus onfocus='${HIT}`,
  `javascript:${HIT}`,
  `{{constructor.constructor('${HIT}')()}}`,
  `</dialog><iframe srcdoc="<script>parent.${HIT}</script>">`,
  `<base href=//evil.example>`,
  `<meta http-equiv=refresh content=0;url=//evil.example>`,
  `</form><form action=//evil.example><button autofocus>Save`,
  `]]>&lt;script&gt;%3Cscript%3E\u2028${HIT}\u202e\\u003cscript>`,
] as const;
const ALL = WORDS.join("\n");
const PLANTED = "img[src=x], iframe, base, meta[http-equiv], form[action*=evil], [onfocus], [onload], [onerror]";

async function expectHarmless(page: Page, path: string) {
  await page.goto(path);
  await expect(page.locator("h1").first()).toBeAttached();
  const found = await page.evaluate(
    (planted) => [document.documentElement.dataset.hit ?? "", document.querySelectorAll(planted).length],
    PLANTED,
  );
  expect([path, ...found]).toEqual([path, "", 0]);
}

test("whatever a family or a stranger writes stays words on every page that shows it", async ({ site, openAs }) => {
  test.slow();
  const [, image, close, , , , focus] = WORDS;
  const family = await site.family({ firstName: image, lastName: close });
  const story = { fullName: ALL.slice(0, 250), phoneNumber: focus.slice(0, 50), emailAddress: family.email };
  const child = { childName: close, childAge: focus, childBirthday: image, address: ALL, diagnosis: ALL };
  const intakeAnswers = {
    ...story,
    ...child,
    schoolName: image,
    otherConcerns: ALL,
    additionalNotes: ALL,
    howDidYouHear: ALL,
  };
  expect((await family.post("/api/intake-forms", intakeAnswers)).status).toBe(201);
  const appointmentFields = {
    title: `${close} - ${image}`,
    description: ALL,
    notes: `Client: ${image}\n${ALL}`,
    duration: 60,
  };
  const [id, late] = await Promise.all(
    ["2027-01-09T15:00:00Z", "2027-01-10T15:00:00Z"].map(async (appointmentDate) => {
      const meetingLink = `https://meet.example/"><img src=x onerror=${HIT}>`.replaceAll(" ", "%20");
      const booked = await family.post("/api/appointments", { ...appointmentFields, appointmentDate, meetingLink });
      expect(booked.status).toBe(201);
      return booked.json.id as number;
    }),
  );
  const asked = {
    firstName: image,
    lastName: close,
    email: "x@example.com",
    phone: focus.slice(0, 50),
    serviceNeeds: ALL,
  };
  const request = await site.visitor().post("/api/consultation-requests", { ...asked, message: ALL, consent: true });
  expect(request.status).toBe(201);
  await family.form("/appointments/new", {
    ...appointmentFields,
    duration: "60",
    notes: "",
    date: "2027-01-16",
    intent: "times",
  });

  const alerts: string[] = [];
  const watched = async (person: typeof family | Awaited<ReturnType<typeof site.consultant>>) => {
    const page = await openAs(person);
    page.on("dialog", (dialog) => alerts.push(dialog.message()));
    page.on("request", (each) => each.url().startsWith(site.origin) || alerts.push(each.url()));
    return page;
  };

  const consultant = await site.consultant();
  expect((await consultant.form(`/families/${family.id}`, { text: ALL })).status).toBe(302);
  const hers = await watched(consultant);
  const ofRequest = `/dashboard/requests/${request.json.id}`;
  const ofVisit = `/dashboard/appointments/${id}`;
  for (const path of [
    "/dashboard",
    `/dashboard?q=${encodeURIComponent(image)}`,
    ofVisit,
    `${ofVisit}/delete`,
    `${ofVisit}/reschedule`,
    `${ofVisit}/payment`,
    `${ofRequest}/schedule`,
    `${ofRequest}/delete`,
    "/dashboard/calendar",
    "/calendar?view=day&day=2027-01-09",
    "/requests",
    "/families",
    `/families/${family.id}`,
    `/families/${family.id}/appointments/new?title=${encodeURIComponent(close)}`,
  ])
    await expectHarmless(hers, path);

  const theirs = await watched(family);
  for (const path of [
    "/",
    "/dashboard",
    "/dashboard/settings",
    "/dashboard/intake-form",
    "/appointments",
    "/appointments/new",
    `/appointments?service=${encodeURIComponent(ALL)}`,
    `/appointments/intake-form?step=concerns`,
  ])
    await expectHarmless(theirs, path);
  await expectHarmless(theirs, `/appointments/${late}/cancel`);
  await theirs.getByRole("button", { name: "Cancel appointment" }).click();
  await expect(theirs.getByText("Appointment Cancelled").first()).toBeVisible();
  await expect(theirs.locator("[data-toasts]")).toContainText(image);
  expect([await theirs.locator(PLANTED).count(), alerts]).toEqual([0, []]);
});
