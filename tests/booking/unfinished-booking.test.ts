// Proves that an unfinished booking or intake form is shown on the dashboard and the appointments page.
import { afterEach, describe, expect, test } from "vitest";
import type { TestResponse } from "../support/http-client.ts";
import { intakeForm, type Family } from "../support/people.ts";
import { consultant, family, setTestClock } from "../support/site.ts";

const NOW = new Date("2026-11-20T15:00:00Z");
const MINUTE = 60_000;
const atMinute = (minutes: number) => setTestClock(() => new Date(NOW.getTime() + minutes * MINUTE));
atMinute(0);
afterEach(() => atMinute(0));

const choose = (person: Family, appointmentDate: string, changes = {}) =>
  person.form("/appointments/new", {
    title: "Hourly Consulting",
    appointmentDate,
    duration: "60",
    type: "consultation",
    paymentMethod: "online",
    ...changes,
  });

/** The card on one of both pages: its text, and where its button leads. */
async function cardOn(person: Family, path: string) {
  const { document } = await person.get(path);
  const heading = [...document.querySelectorAll("h2")].find(
    (each) => each.textContent === "Pick up where you left off",
  );
  const card = heading?.closest("section");
  return card
    ? { text: card.textContent ?? "", path: card.querySelector(".button-primary")?.getAttribute("href") }
    : null;
}

describe("returning to the booking dialog", () => {
  test("shows the visit just booked, for an hour or until another booking is started", async () => {
    const person = await family({ intake: true });
    expect((await person.get("/appointments/new")).visibleText).not.toContain("You have just booked");
    await choose(person, "2027-06-25T16:00", { paymentMethod: "in-person" });
    const page = await person.get("/appointments/new");
    expect(page.visibleText).toContain("You have just booked Hourly Consulting, Fri, Jun 25, 2027 at 4:00 PM");
    const { id } = (await person.get("/api/appointments")).json[0];
    expect(page.document.querySelector(`dialog a[href="/appointments/${id}/booked"]`)).not.toBeNull();
    expect((await person.get("/appointments/pay")).headers.location).toBe(`/appointments/${id}/booked`);
    await person.form("/appointments/new/draft", { title: "Hourly Consulting" });
    expect((await person.get("/appointments/new")).visibleText).not.toContain("You have just booked");
    await person.form("/appointments/new", { intent: "discard" });
    atMinute(61);
    expect((await person.get("/appointments/new")).visibleText).not.toContain("You have just booked");
  });
});

describe("finding another free day or time", () => {
  const nextButton = ({ document }: TestResponse) =>
    [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Next open day");
  const chosenDay = ({ document }: TestResponse) =>
    document.querySelector("[name=day][aria-pressed=true]")?.getAttribute("value") ?? "";

  test("the Next open day button selects a later day each time, past the days shown, and keeps typed fields", async () => {
    const person = await family({ intake: true });
    let page = await person.get("/appointments/new");
    const seen = [chosenDay(page)];
    for (let press = 0; press < 8; press += 1) {
      const button = nextButton(page);
      const name = button?.getAttribute("name") ?? "";
      page = await person.follow(
        await person.form("/appointments/new", {
          title: "Hourly Consulting",
          notes: "Reading takes all evening.",
          duration: "60",
          type: "consultation",
          [name]: button?.getAttribute("value") ?? "",
        }),
      );
      seen.push(chosenDay(page));
    }
    expect(new Set(seen).size).toBe(9);
    expect(seen).toEqual(seen.toSorted());
    expect(page.document.querySelector("textarea[name=notes]")?.textContent).toBe("Reading takes all evening.");
  });

  test("returning to a time that another family has booked offers the four nearest free times", async () => {
    const [person, other] = [await family({ intake: true }), await family({ intake: true })];
    await choose(person, "2027-06-17T18:30");
    atMinute(50);
    await choose(other, "2027-06-17T18:30", { paymentMethod: "in-person" });
    const page = await person.get("/appointments/new");
    expect(page.visibleText).toContain(
      "Thu, Jun 17, 6:30 PM is taken; everything else you chose is saved, so just pick another time:",
    );
    const offered = [...page.document.querySelectorAll("button[name=take]")].map((button) =>
      button.getAttribute("value"),
    );
    // Two of the same evening, and of the next day the first two.
    const nearest = ["17T23:30", "18T00:00", "18T19:00", "18T19:30"];
    expect(offered).toEqual(nearest.map((at) => `2027-06-${at}:00.000Z`));
  });
});

describe("an unfinished booking", () => {
  test("shows the service, the time, until when it is held, and the progress of the intake form", async () => {
    const person = await family();
    await choose(person, "2027-06-01T18:30");
    const { fullName, phoneNumber, emailAddress, preferredContactMethod, address } = intakeForm(person);
    const section = { fullName, phoneNumber, emailAddress, preferredContactMethod, address };
    await person.form("/appointments/intake-form?step=client", section);
    for (const path of ["/dashboard", "/appointments"]) {
      const card = await cardOn(person, path);
      expect(card?.text).toContain("Hourly Consulting");
      expect(card?.text).toContain("Tue, Jun 1, 6:30 PM ET");
      expect(card?.text).toContain("Tue, Jun 1, 6:30 PM ET, held for you until 10:15 AM ET.");
      expect(card?.text).toContain("Intake form: 1 of 4 sections completed.");
      expect(card?.path).toBe("/appointments/intake-form");
    }
  });

  test("continues at choosing a time once the hold has expired", async () => {
    const person = await family();
    await choose(person, "2027-06-03T18:30");
    atMinute(50);
    const card = await cardOn(person, "/dashboard");
    expect(card?.text).toContain("It's still free, but we're not holding it.");
    expect(card?.path).toBe("/appointments/new");
  });

  test("says that the time was taken once another family has booked it, and links to choosing a new time", async () => {
    const [person, other] = [await family(), await family({ intake: true })];
    await choose(person, "2027-06-24T18:30");
    atMinute(50);
    await choose(other, "2027-06-24T18:30", { paymentMethod: "in-person" });
    for (const path of ["/dashboard", "/appointments"]) {
      const card = await cardOn(person, path);
      expect(card?.text).toContain("Thu, Jun 24, 6:30 PM ET was taken. Everything else is saved.");
      expect(card?.text).toContain("Pick a new time");
      expect(card?.text).not.toContain("held for you");
      expect(card?.path).toBe("/appointments/new");
    }
    const { document } = await person.get("/");
    const greeting = document.querySelector(".welcome");
    expect(greeting?.textContent).toContain("Thu, Jun 24, 6:30 PM ET was taken. Everything else is saved.");
    expect(greeting?.querySelector("a")?.textContent).toBe("Pick a new time");
    expect(greeting?.querySelector("a")?.getAttribute("href")).toBe("/appointments/new");
  });

  test("says that the time can't be booked anymore if the practice has closed that day", async () => {
    const person = await family();
    await choose(person, "2027-06-29T18:30");
    atMinute(50);
    const practice = await consultant();
    await practice.form("/calendar/hours", { kind: "closed", from: "2027-06-29", to: "2027-06-29" });
    const card = await cardOn(person, "/dashboard");
    expect(card?.text).toContain("Tue, Jun 29, 6:30 PM ET can't be booked anymore. Everything else is saved.");
    expect(card?.text).toContain("Pick a new time");
  });

  test("continues at the payment page when only the payment is missing", async () => {
    const person = await family({ intake: true });
    await choose(person, "2027-06-08T18:30");
    expect((await cardOn(person, "/appointments"))?.path).toBe("/appointments/pay");
  });

  test("is no longer shown once booked or discarded, and discarding releases the hold", async () => {
    const [person, other] = [await family({ intake: true }), await family({ intake: true })];
    await choose(person, "2027-06-10T18:30", { paymentMethod: "in-person" });
    expect(await cardOn(person, "/dashboard")).toBeNull();
    await choose(other, "2027-06-15T18:30");
    expect(await cardOn(other, "/dashboard")).not.toBeNull();
    await other.form("/appointments/new", { intent: "discard" });
    expect(await cardOn(other, "/dashboard")).toBeNull();
    const free = await person.get("/api/appointments/availability?date=2027-06-15&time=18:30&duration=60");
    expect(free.json.available).toBe(true);
  });

  test("includes the choices of a dialog not yet submitted; the time is held only if a hold is requested", async () => {
    const [person, other] = [await family({ intake: true }), await family({ intake: true })];
    const fields = { title: "Hourly Consulting", slot: "2027-06-22T22:30:00.000Z", duration: "60" };
    const typed = { ...fields, date: "2027-06-22", paymentMethod: "online", notes: "Reading takes all evening." };
    expect((await person.form("/appointments/new/draft", typed)).status).toBe(204);
    const card = await cardOn(person, "/dashboard");
    expect(card?.text).toContain("Hourly ConsultingYou chose Tue, Jun 22, 6:30 PM ET.");
    expect(card?.path).toBe("/appointments/new");
    const { document } = await person.get("/appointments/new");
    expect(document.querySelector("textarea[name=notes]")?.textContent).toBe("Reading takes all evening.");
    expect(document.querySelector("[name=slot][checked]")?.getAttribute("value")).toBe(fields.slot);
    expect(document.querySelector("[value=online]")?.hasAttribute("checked")).toBe(true);
    const free = await other.get("/api/appointments/availability?date=2027-06-22&time=18:30&duration=60");
    expect(free.json.available).toBe(true);
    await person.form("/appointments/new/draft?hold=chosen", typed);
    const held = await cardOn(person, "/dashboard");
    expect(held?.text).toContain("Hourly ConsultingTue, Jun 22, 6:30 PM ET, held for you until");
    expect(held?.path).toBe("/appointments/new");
    expect(await cardOn(other, "/dashboard")).toBeNull();
    expect((await person.get("/appointments/new/draft")).headers.location).toBe("/appointments/new");
  });

  test("is not left by concurrent submissions of one form, or by a save of the booked draft after the booking", async () => {
    const person = await family({ intake: true });
    const at = "2027-07-13T18:30";
    const send = () => choose(person, at, { paymentMethod: "in-person" });
    const responses = await Promise.all([send(), send(), send()]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([302, 409, 409]);
    expect(await cardOn(person, "/dashboard")).toBeNull();
    await person.form("/appointments/new/draft", { title: "Hourly Consulting", appointmentDate: at, duration: "60" });
    expect(await cardOn(person, "/dashboard")).toBeNull();
    await person.form("/appointments/new/draft", { title: "Hourly Consulting", notes: "The bus" });
    expect(await cardOn(person, "/dashboard")).not.toBeNull();
    const hostile = { title: "a\0b", appointmentDate: at, duration: "60", type: "consultation" };
    expect((await person.form("/appointments/new/draft", hostile)).status).toBeLessThan(500);
    expect((await person.form("/appointments/new", hostile)).status).toBe(422);
  });

  test("is kept and held again for the time of a visit that the family has canceled", async () => {
    const person = await family({ intake: true });
    const at = "2027-07-27T18:30";
    await choose(person, at, { paymentMethod: "in-person" });
    const { id } = (await person.get("/api/appointments")).json[0];
    expect((await person.delete(`/api/appointments/${id}`)).status).toBe(200);
    const draft = { title: "Hourly Consulting", appointmentDate: at, duration: "60", type: "consultation" };
    await person.form("/appointments/new/draft?hold=chosen", { ...draft, notes: "The bus" });
    expect((await cardOn(person, "/dashboard"))?.text).toContain("held for you until");
  });

  test("is not left after payment if its title is in decomposed Unicode", async () => {
    const person = await family({ intake: true });
    await choose(person, "2027-07-20T18:30", { title: "Cafe\u0301 talk" });
    const { document } = await person.get("/appointments/pay");
    const field = (name: string) => document.querySelector(`[name=${name}]`)?.getAttribute("value") ?? "";
    const card = { intent: "card", sourceId: "cnon:card-nonce-ok", cents: field("cents"), key: field("key") };
    const paid = await person.form("/appointments/pay", { ...card, version: field("version") });
    expect(paid.headers.location).toMatch(/booked$/);
    expect(await cardOn(person, "/dashboard")).toBeNull();
  });

  test("is not booked by the intake form if it was changed after the form showed it", async () => {
    const person = await family();
    await choose(person, "2027-07-06T18:30", { paymentMethod: "in-person" });
    for (const step of ["client", "child", "concerns", "additional"]) {
      const responses = { ...intakeForm(person), intent: "continue" };
      expect((await person.form(`/appointments/intake-form?step=${step}`, responses)).status).toBe(302);
    }
    const { document } = await person.get("/appointments/intake-form?step=check");
    const bookingVersion = document.querySelector("[name=bookingVersion]")?.getAttribute("value") ?? "";
    const draft = { title: "Hourly Consulting", appointmentDate: "2027-07-06T19:00", paymentMethod: "in-person" };
    await person.form("/appointments/new/draft", { ...draft, duration: "60", type: "consultation" });
    const response = await person.form("/appointments/intake-form?step=check", { bookingVersion });
    expect(response.headers.location).toBe("/appointments/new?again");
    const page = await person.follow(response);
    expect(page.visibleText).toContain("It was changed in another tab or on another device.");
    expect(page.visibleText).toContain("please check what it says now. Intake Form Submitted!");
    expect((await person.get("/api/appointments")).json).toEqual([]);
  });

  test("is discarded only after confirmation", async () => {
    const person = await family({ intake: true });
    await choose(person, "2027-06-28T16:30");
    const { document } = await person.get("/appointments");
    const link = [...document.querySelectorAll("a")].find(({ textContent }) => textContent === "Discard this booking");
    const question = await person.get(link?.getAttribute("href") ?? "");
    expect(question.visibleText).toContain("Discard this booking?");
    expect(question.visibleText).toContain("Mon, Jun 28, 4:30 PM ET, held for you until");
    expect(await cardOn(person, "/dashboard")).not.toBeNull();
    const form = question.document.querySelector("dialog form");
    expect(form?.getAttribute("action")).toBe("/appointments/new");
    const after = await person.follow(await person.form("/appointments/new", { intent: "discard" }));
    expect(after.visibleText).toContain("Booking discarded");
    expect((await person.get("/appointments/discard")).headers.location).toBe("/appointments");
  });

  test("can be an intake form alone, and is not shown to another family", async () => {
    const [person, other] = [await family(), await family()];
    await person.form("/dashboard/intake-form?step=concerns", { otherConcerns: "The bus", intent: "keep" });
    const card = await cardOn(person, "/dashboard");
    expect(card?.text).toContain("Your intake form0 of 4 sections completed.");
    expect(card?.path).toBe("/dashboard/intake-form");
    expect(await cardOn(other, "/dashboard")).toBeNull();
  });
});
