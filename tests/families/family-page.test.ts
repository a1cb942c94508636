// Proves what a family's page shows the consultant right before a visit.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { intakeForm } from "../support/people.ts";
import { consultant, db, family, setTestClock } from "../support/site.ts";
import { uploadFile } from "../support/uploads.ts";

setTestClock(() => new Date("2026-11-20T15:00:30Z"));

let admin: TestClient;

beforeAll(async () => {
  admin = await consultant();
});

describe("a family's page right before a visit", () => {
  test("starts with the child, the phone number, an unfinished visit, the next visit and the amount due", async () => {
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

  test("shows amounts due from earlier and for today's visits, and separately what upcoming visits will cost", async () => {
    const noor = await family({ firstName: "Noor", lastName: "Haddad" });
    const visit = { userId: noor.id, title: "Hourly Consulting", type: "consultation", status: "completed" };
    const add = (day: string, paymentAmountCents: number) =>
      db.appointment.create({ data: { ...visit, paymentAmountCents, appointmentDate: new Date(day) } });
    const due = async () =>
      /Money due(.+)$/.exec(
        (await admin.get(`/families/${noor.id}`)).document.querySelector('[aria-label="At a glance"] dl')
          ?.textContent ?? "",
      )?.[1];
    expect(await due()).toBe("Nothing");
    const next = await add("2026-12-01T14:00Z", 7500);
    expect(await due()).toBe("Nothing · $75 to come");
    const late = await add("2026-11-20T16:00Z", 7500);
    expect(await due()).toBe("Nothing · $150 to come");
    // 11:30 PM of the practice's day before.
    const before = [await add("2026-11-02T14:00Z", 15000), await add("2026-11-20T04:30Z", 7500)];
    expect(await due()).toBe("$225 · $150 to come");
    const over = await add("2026-11-20T14:00Z", 7500);
    expect(await due()).toBe("$225 from earlier, $75 for today's visit · $150 to come");
    const other = await add("2026-11-20T06:00Z", 7500);
    expect(await due()).toBe("$225 from earlier, $150 for today's visits · $150 to come");
    await db.appointment.updateMany({
      where: { id: { in: [late.id, over.id, other.id] } },
      data: { waivedAt: new Date() },
    });
    expect(await due()).toBe("$225 · $75 to come");
    for (const { id } of [next, late, over, other, ...before]) await db.appointment.delete({ where: { id } });
  });

  test("says how the next visit takes place; a video visit has its button only once the room is open", async () => {
    const amy = await family({ firstName: "Amy", lastName: "Lin" });
    const visit = { userId: amy.id, title: "Hourly Consulting", type: "consultation", isLiveVideoCall: true };
    const { id } = await db.appointment.create({ data: { ...visit, appointmentDate: new Date("2026-11-20T15:11Z") } });
    const header = async () => {
      const { document } = await admin.get(`/families/${amy.id}`);
      const links = [...document.querySelectorAll(`[aria-label="At a glance"] a[href="/video-call/${id}"]`)];
      const next = [...document.querySelectorAll('[aria-label="At a glance"] dl > div')][2];
      return { next: next?.textContent, links: links.map(({ textContent, className }) => [textContent, className]) };
    };
    const closed = await header();
    expect(closed.next).toMatch(/^Next visit.*10:11 AM ET.* · Video · .*opens 10:01 AM · Move/);
    expect(closed.links).toEqual([
      [expect.stringMatching(/^Waiting Room with Amy Lin, .*opens 10:01 AM$/), expect.not.stringContaining("button")],
    ]);
    setTestClock(() => new Date("2026-11-20T15:01:30Z"));
    const open = await header();
    expect(open.next).toMatch(/10:11 AM ET.* · Video · Move/);
    expect(open.links).toEqual([[" Waiting Room", expect.stringContaining("button")]]);
    setTestClock(() => new Date("2026-11-20T15:00:30Z"));
    await db.appointment.update({ where: { id }, data: { isLiveVideoCall: false, place: "Library, room 2" } });
    expect((await header()).next).toMatch(/10:11 AM ET.* · In person, Library, room 2 · Move/);
    await db.appointment.delete({ where: { id } });
  });

  test("lists canceled upcoming visits separately from those that take place", async () => {
    const zoe = await family({ firstName: "Zoe", lastName: "Marsh" });
    const visit = { userId: zoe.id, title: "Hourly Consulting", type: "consultation" };
    const add = (day: string, status: string) =>
      db.appointment.create({ data: { ...visit, status, appointmentDate: new Date(day) } });
    const visits = [await add("2027-05-08T14:00Z", "cancelled"), await add("2027-05-09T14:00Z", "scheduled")];
    const { document } = await admin.get(`/families/${zoe.id}`);
    const sections = [...document.querySelectorAll("main section section")].map((section) => [
      section.querySelector("h3")?.textContent,
      /May \d/.exec(section.textContent)?.[0],
    ]);
    expect(sections.slice(0, 2)).toEqual([
      ["Coming up", "May 9"],
      ["Canceled", "May 8"],
    ]);
    for (const { id } of visits) await db.appointment.delete({ where: { id } });
  });

  test("lists the concerns from the intake form, and has the whole form in a collapsed section", async () => {
    const lin = await family({ firstName: "Lin", lastName: "Chen" });
    const readPage = async () => (await admin.get(`/families/${lin.id}`)).document;
    const cardOf = (page: Document, title: string) =>
      [...page.querySelectorAll("main section.card")].find(
        (each) => each.querySelector("h2")?.textContent.trim() === title,
      );
    const before = await readPage();
    expect(cardOf(before, "Concerns")).toBeUndefined();
    expect(cardOf(before, "Intake form")?.textContent).toContain("This family has not filled it out yet.");
    expect(cardOf(before, "Intake form")?.querySelector("details")).toBeNull();
    const primaryConcerns = ["School Advocacy / IEP / 504 Plans", "Understanding a Diagnosis or Evaluation"];
    const responses = { ...intakeForm(lin), primaryConcerns, otherConcerns: "The bus is <too> loud." };
    expect((await lin.post("/api/intake-forms", responses)).status).toBe(201);
    const formPath = `/dashboard/intake-form?userId=${lin.id}&from=%2Ffamilies%2F${lin.id}`;
    const linkOf = (page: Document) => cardOf(page, "Intake form")?.querySelector("a");
    for (const unread of [await readPage(), await readPage()]) {
      expect([linkOf(unread)?.textContent, linkOf(unread)?.getAttribute("href")]).toEqual([
        "Read the new answers",
        formPath,
      ]);
      expect(cardOf(unread, "Intake form")?.querySelector("details")).toBeNull();
    }
    expect((await admin.get(formPath)).text).toContain("The bus is &lt;too&gt; loud.");
    const page = await readPage();
    const concerns = [...(cardOf(page, "Concerns")?.querySelectorAll("li") ?? [])];
    expect(concerns.map(({ textContent }) => textContent)).toEqual([...primaryConcerns, "The bus is <too> loud."]);
    const form = cardOf(page, "Intake form")?.querySelector("details");
    expect([form?.hasAttribute("open"), form?.querySelector("summary")?.textContent]).toEqual([
      false,
      "Read the whole form",
    ]);
    const shown = ["Lin Chen", "(732) 555-0117", lin.email, "12 Ocean Avenue", "Leo", "9 years", "March 14, 2017"];
    for (const text of [...shown, ...primaryConcerns, "The bus is <too> loud."])
      expect(form?.textContent).toContain(text);
    const benefits = ["Insurance / Benefits Support"];
    await lin.post("/api/intake-forms", { ...responses, primaryConcerns: benefits, otherConcerns: "" });
    const changedPage = await readPage();
    expect(linkOf(changedPage)?.textContent).toBe("Read the new answers");
    const changed = cardOf(changedPage, "Concerns");
    expect([...(changed?.querySelectorAll("li") ?? [])].map(({ textContent }) => textContent)).toEqual(benefits);
  });

  test("has the phone number of the account, else the one from the intake form, as a link to call", async () => {
    const omar = await family({ firstName: "Omar", lastName: "Nasser" });
    const phone = async () => {
      const { document: page } = await admin.get(`/families/${omar.id}`);
      const [fact] = page.querySelectorAll('[aria-label="At a glance"] dl > div');
      return [fact?.querySelector("dd")?.textContent, fact?.querySelector("a")?.getAttribute("href")];
    };
    expect(await phone()).toEqual(["Not given", undefined]);
    await omar.post("/api/intake-forms", { ...intakeForm(omar), phoneNumber: "848.555.0123" });
    expect(await phone()).toEqual(["(848) 555-0123", "tel:8485550123"]);
    const fields = { firstName: "Omar", lastName: "Nasser", phone: "+1 732 555 0199" };
    expect((await omar.form("/dashboard/profile", fields)).status).toBe(302);
    expect(await phone()).toEqual(["+1 732 555 0199", "tel:+17325550199"]);
  });

  test("marks uploads that the consultant has not opened as new, and leaves an unread intake form unread", async () => {
    const priya = await family({ intake: true });
    const { json } = await uploadFile(priya);
    const readCard = async () => (await admin.get(`/families/${priya.id}`)).document.querySelector("#documents");
    expect((await readCard())?.textContent).toMatch(/From the family\s*new/);
    const list = (await admin.get("/documents")).document.querySelector(`a[href="/families/${priya.id}#documents"]`);
    expect(list?.closest('[role="region"]')?.textContent).toMatch(/From the family.*new/);
    expect(list?.closest('[role="region"]')?.textContent).not.toContain("Stop sharing");
    expect((await admin.form(`/documents/${json.id}/sharing`, { isShared: "false" })).status).toBe(409);
    expect((await priya.get("/documents")).visibleText).toContain(json.fileName);
    expect((await db.intakeForm.findUniqueOrThrow({ where: { userId: priya.id } })).reviewedAt).toBeNull();
    await admin.get(`/api/documents/${json.id}/download`);
    expect((await readCard())?.textContent).not.toMatch(/From the family\s*new/);
  });

  test("shows who uploaded a document and who sees it; unsharing and deleting return to the family's page", async () => {
    const ines = await family({ firstName: "Ines", lastName: "Costa" });
    await uploadFile(ines, { fields: { customFileName: "From home" } });
    const fields = { customFileName: "Plan", userId: String(ines.id) };
    const { json: plan } = await uploadFile(admin, { fields });
    const rowOf = async (name: string) => {
      const { document: page } = await admin.get(`/families/${ines.id}`);
      return [...page.querySelectorAll("#documents .row")].find((row) => row.textContent.includes(name));
    };
    expect((await rowOf("From home"))?.textContent).toMatch(/From the family\s*new/);
    expect((await rowOf("From home"))?.querySelector("form")).toBeNull();
    const shared = await rowOf("Plan");
    expect(shared?.textContent).toMatch(/From you\s*Shared/);
    const stop = shared?.querySelector("form")?.getAttribute("action") ?? "";
    expect((await admin.form(stop, { isShared: "false" })).headers.location).toBe(`/families/${ines.id}`);
    expect((await rowOf("Plan"))?.textContent).toMatch(/From you\s*Only you.*Share/);
    const remove = (await rowOf("Plan"))?.querySelector('a[href*="/delete"]')?.getAttribute("href") ?? "";
    const { document: asked } = await admin.get(remove);
    expect(asked.querySelector('dialog a[aria-label="Close"], dialog a')?.getAttribute("href")).toBe(
      `/families/${ines.id}`,
    );
    expect((await admin.form(remove, {})).headers.location).toBe(`/families/${ines.id}`);
    expect(await db.document.count({ where: { id: plan.id } })).toBe(0);
  });

  test("the intake form dialog has names in its title and closes to the visit it was opened from", async () => {
    const grace = await family({ firstName: "Grace", lastName: "Kim", intake: true });
    const from = "/dashboard/appointments/5";
    const { document: page } = await admin.get(`/dashboard/intake-form?userId=${grace.id}&from=${from}`);
    expect(page.querySelector("dialog h2, dialog h1")?.textContent).toMatch(/^Intake Form Details: .+, /);
    expect(page.querySelector('dialog a[aria-label="Close"]')?.getAttribute("href")).toBe(from);
  });
});
