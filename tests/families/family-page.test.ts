// Proves what the administrator reads of one family right before a visit.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { intakeForm } from "../support/people.ts";
import { consultant, db, family, setNow } from "../support/site.ts";
import { uploadFile } from "../support/uploads.ts";

setNow(() => new Date("2026-11-20T15:00:30Z"));

let admin: TestClient;

beforeAll(async () => {
  admin = await consultant();
});

describe("a family's page right before a visit", () => {
  test("begins with the child, how to reach the family, the next visit and what is due", async () => {
    const keisha = await family({ firstName: "Keisha", lastName: "Thompson" });
    const answers = { ...intakeForm(keisha), childName: "Leo", childAge: "4", diagnosis: "autism", iepStatus: "yes" };
    await keisha.post("/api/intake-forms", {
      ...answers,
      schoolName: "Gregory Elementary",
      gradeLevel: "3",
      phoneNumber: "732 555 0110",
    });
    const visit = { userId: keisha.id, title: "Hourly Consulting", type: "consultation", paymentAmountCents: 7500 };
    const past = await db.appointment.create({ data: { ...visit, appointmentDate: new Date("2026-10-05T14:00Z") } });
    const next = await db.appointment.create({ data: { ...visit, appointmentDate: new Date("2027-06-07T14:00Z") } });
    const { document: page } = await admin.get(`/families/${keisha.id}`);
    const header = page.querySelector('[aria-label="At a glance"]');
    expect(header?.textContent).toMatch(/Leo, 4 · autism.*Gregory Elementary · grade 3 · IEP: yes/);
    expect(header?.textContent).toMatch(/Mon, Jun 7, 2027 at 10:00 AM ET.*Money due\$75/);
    expect(header?.querySelector('a[href="tel:7325550110"]')).not.toBeNull();
    // The visit that has no status yet, and the way to finish it.
    expect(header?.textContent).toMatch(/^Not finished yet · Mon, Oct 5, 2026 at 10:00 AM ET/);
    expect(header?.querySelector(`a[href^="/dashboard/appointments/${past.id}/after?"]`)?.textContent).toBe(
      "Finish visit",
    );
    await db.appointment.update({ where: { id: past.id }, data: { status: "completed" } });
    const finished = (await admin.get(`/families/${keisha.id}`)).document.querySelector('[aria-label="At a glance"]');
    expect(finished?.textContent).not.toMatch(/Not finished|Finish visit/);
    await db.appointment.update({ where: { id: next.id }, data: { isLiveVideoCall: true } });
    for (const path of [`/dashboard/appointments/${next.id}`, `/video-call/${next.id}`])
      expect((await admin.get(path)).document.querySelector('main a[href="tel:7325550110"]')).not.toBeNull();
    const rowLinks = [...page.querySelectorAll(".admin-row a")].map((link) => link.getAttribute("href"));
    const ofRow = rowLinks.filter((href) => href?.startsWith(`/dashboard/appointments/${next.id}/`));
    expect(ofRow.map((href) => href?.replace(/\?.*/, "").split("/").at(-1))).toEqual([
      "reschedule",
      "cancel",
      "delete",
    ]);
    for (const search of ["7325550110", "732-555-0110"])
      expect((await admin.get(`/families?q=${search}`)).visibleText).toContain("Keisha Thompson");
    await db.appointment.deleteMany({ where: { id: { in: [past.id, next.id] } } });
  });

  test("marks uploads that the administrator has not opened, and counts the form as read", async () => {
    const priya = await family({ intake: true });
    const { json } = await uploadFile(priya);
    const readCard = async () => (await admin.get(`/families/${priya.id}`)).document.querySelector("#documents");
    expect((await readCard())?.querySelector(".badge")?.textContent).toBe("new");
    const list = (await admin.get("/documents")).document.querySelector(`a[href="/families/${priya.id}#documents"]`);
    expect(list?.closest('[role="region"]')?.textContent).toMatch(/From the family.*new/);
    expect(list?.closest('[role="region"]')?.textContent).not.toContain("Stop sharing");
    expect((await admin.form(`/documents/${json.id}/sharing`, { isShared: "false" })).status).toBe(409);
    expect((await priya.get("/documents")).visibleText).toContain(json.fileName);
    expect((await db.intakeForm.findUniqueOrThrow({ where: { userId: priya.id } })).reviewedAt).not.toBeNull();
    await admin.get(`/api/documents/${json.id}/download`);
    expect((await readCard())?.querySelector(".badge")).toBeNull();
  });

  test("opens the intake form under its owner's name, and closes it to the visit it was opened from", async () => {
    const grace = await family({ firstName: "Grace", lastName: "Kim", intake: true });
    const from = "/dashboard/appointments/5";
    const { document: page } = await admin.get(`/dashboard/intake-form?userId=${grace.id}&from=${from}`);
    expect(page.querySelector("dialog h2, dialog h1")?.textContent).toMatch(/^Intake Form Details: .+, /);
    expect(page.querySelector('dialog a[aria-label="Close"]')?.getAttribute("href")).toBe(from);
  });
});
