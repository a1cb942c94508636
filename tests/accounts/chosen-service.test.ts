// Proves that the service chosen on the public page is kept through registration and sign-in; unknown services are not.
import { describe, expect, test } from "vitest";
import type { TestClient, TestResponse } from "../support/http-client.ts";
import { consultant, db, family, visitor } from "../support/site.ts";

const SERVICE = "?service=Initial%20Consultation";
const CONTINUE = "Continue booking your Initial Consultation";
/** The primary buttons of the public page where nothing waits to be continued. */
const USUAL = ["Schedule Consultation", "Request a consultation"];
let registered = 0;

const register = (client: TestClient, query: string) =>
  client.form(`/register${query}`, {
    firstName: "Hana",
    lastName: "Sato",
    email: `hana.chooses.${(registered += 1)}@example.com`,
    phone: "",
    password: "three lighthouse keepers",
    confirmPassword: "three lighthouse keepers",
  });
const primaryButtons = ({ document }: TestResponse) =>
  [...document.querySelectorAll("main .button-primary")].map((button) => button.textContent?.trim());

describe("the service chosen before signing in", () => {
  test("is named on the registration and sign-in pages, whose links to each other keep it", async () => {
    const page = await visitor().get(`/register${SERVICE}&from=booking`);
    expect(page.visibleText).toContain("We saved your choice, Initial Consultation.");
    const links = [...page.document.querySelectorAll("main a")].map((link) => link.getAttribute("href"));
    expect(links).toContain("/login?service=Initial+Consultation");
    const signIn = await visitor().get("/login?service=Initial+Consultation");
    expect(signIn.visibleText).toContain("We saved your choice, Initial Consultation.");
    expect(signIn.text).toContain('href="/register?service=Initial+Consultation"');
  });

  test("is kept by the links of the header, to the password link, and back to the sign-in", async () => {
    const hrefs = ({ document }: TestResponse, text: string) =>
      [...document.querySelectorAll("a")]
        .filter((link) => link.textContent?.trim() === text)
        .map((link) => link.getAttribute("href"));
    const signIn = "/login?service=Initial+Consultation";
    for (const path of ["/register", "/login", "/forgot-password"]) {
      const page = await visitor().get(`${path}${SERVICE}`);
      // In the bar and in the side panel.
      expect(hrefs(page, "Sign In")).toEqual([signIn, signIn]);
      expect(new Set(hrefs(page, "Get Started"))).toEqual(new Set(["/register?service=Initial+Consultation"]));
    }
    const withTarget = "service=Initial+Consultation";
    const forgot = hrefs(await visitor().get(`${signIn}&redirectTo=%2Fdocuments`), "Forgot your password?");
    expect(forgot).toEqual([`/forgot-password?redirectTo=%2Fdocuments&${withTarget}`]);
    const back = `/login?redirectTo=%2Fdocuments&${withTarget}`;
    const client = visitor();
    const pages = [
      await client.get(forgot[0] ?? ""),
      await client.form(forgot[0] ?? "", { email: "hana@example.com" }),
    ];
    for (const page of pages) expect(hrefs(page, "Back to sign in")).toEqual([back]);
    expect(hrefs(await visitor().get("/forgot-password?redirectTo=//evil.example"), "Back to sign in")).toEqual([
      "/login",
    ]);
  });

  test("is offered by the only primary button of the home page right after registration", async () => {
    const client = visitor();
    const response = await register(client, SERVICE);
    expect(response.headers.location).toBe("/");
    const home = await client.follow(response);
    expect(home.visibleText).toContain("Welcome, Hana.");
    expect(primaryButtons(home)).toEqual([CONTINUE]);
    const link = home.document.querySelector("main .welcome a");
    expect(link?.getAttribute("href")).toBe(`/appointments${SERVICE}`);
  });

  test("is offered on the dashboard and the appointments page until the family discards it", async () => {
    const client = visitor();
    await register(client, SERVICE);
    for (const path of ["/dashboard", "/appointments"]) {
      const page = await client.get(path);
      expect(page.visibleText).toContain("Pick up where you left off");
      expect(page.visibleText).toContain("Next: choose a day and time.");
      expect(primaryButtons(page)).toEqual(["Continue booking"]);
    }
    const discarded = await client.form("/appointments/new", { intent: "discard" });
    expect(discarded.headers.location).toBe("/appointments");
    expect((await client.get("/appointments")).visibleText).not.toContain("Pick up where you left off");
    expect(primaryButtons(await client.get("/"))).toEqual(USUAL);
  });

  test("is kept after a wrong password and after the sign-in", async () => {
    const known = await family();
    const client = visitor();
    const wrong = await client.form(`/login${SERVICE}`, { email: known.email, password: "not this one" });
    expect(wrong.visibleText).toContain("We saved your choice, Initial Consultation.");
    await client.form(`/login${SERVICE}`, { email: known.email, password: known.password });
    const home = await client.get("/");
    expect(home.visibleText).toContain(`Welcome back, ${known.firstName}.`);
    expect(primaryButtons(home)).toEqual([CONTINUE]);
  });

  test("redirects a signed-in family to booking it, unless redirectTo is given", async () => {
    const known = await family();
    for (const path of ["/register", "/login"])
      expect((await known.get(`${path}${SERVICE}`)).headers.location).toBe(`/appointments${SERVICE}`);
    expect((await known.get(`/login${SERVICE}&redirectTo=%2Fdocuments`)).headers.location).toBe("/documents");
  });

  test.each(["Free%20money", "initial%20consultation", "%3Cb%3E", "x".repeat(3000), "%00"])(
    "is ignored when the practice doesn't offer it: %.20s",
    async (title) => {
      const page = await visitor().get(`/register?service=${title}`);
      expect(page.status).toBe(200);
      expect(page.visibleText).not.toContain("We saved your choice");
      const client = visitor();
      await register(client, `?service=${title}`);
      expect(primaryButtons(await client.get("/"))).toEqual(USUAL);
    },
  );
});

describe("the home page", () => {
  test("shows the consultant her day in one line with one primary button", async () => {
    const client = await consultant();
    const start = new Date(Math.floor(Date.now() / 60_000) * 60_000);
    const visit = { title: "Hourly Consulting", type: "consultation", appointmentDate: start };
    const { id } = await db.appointment.create({ data: visit });
    await db.appointment.create({
      data: { ...visit, status: "cancelled", appointmentDate: start },
    });
    await visitor().form("/request-consultation", {
      firstName: "Jane",
      lastName: "Doe",
      email: "jane.asks@example.com",
      serviceNeeds: "A letter",
      urgency: "routine",
      consent: "on",
    });
    const page = await client.get("/");
    expect(page.visibleText).toContain("Your day: 1 visit, 1 request");
    expect(page.visibleText).toContain("Hello, Dana");
    expect(primaryButtons(page)).toEqual(["Go to your dashboard"]);
    expect(page.visibleText).toMatch(/Now: \w{3}, .* [AP]M \w+, Unknown Client, in person/);
    await db.appointment.update({ where: { id }, data: { isLiveVideoCall: true } });
    const video = await client.get("/");
    expect([primaryButtons(video), video.visibleText.includes("Unknown Client, video")]).toEqual([["Join"], true]);
    expect(video.document.querySelector(`.welcome a[href="/video-call/${id}"]`)).not.toBeNull();
    await db.appointment.update({ where: { id }, data: { status: "cancelled" } });
    expect((await client.get("/")).visibleText).toContain("Your day: 0 visits, 1 request");
  });

  test("shows a family its next visit, with a link to the video room while it is open", async () => {
    const known = await family();
    const start = new Date(Math.floor(Date.now() / 60_000) * 60_000 + 20 * 60_000);
    const visit = { title: "Hourly Consulting", type: "consultation", isLiveVideoCall: true, userId: known.id };
    const { id } = await db.appointment.create({ data: { ...visit, appointmentDate: start } });
    const move = (minutes: number, changes: Record<string, unknown> = {}) =>
      db.appointment.update({
        where: { id },
        data: { appointmentDate: new Date(start.getTime() + minutes * 60_000), ...changes },
      });
    const closed = await known.get("/");
    expect(closed.visibleText).toMatch(/Your next visit: \w{3}, .* [AP]M \w+, video/);
    expect(primaryButtons(closed)).toEqual(USUAL);
    await move(-15);
    const open = await known.get("/");
    expect(primaryButtons(open)).toEqual(["Waiting Room"]);
    expect(open.document.querySelector(".welcome a.button-primary")?.getAttribute("href")).toBe(`/video-call/${id}`);
    await move(-30);
    const running = await known.get("/");
    expect([primaryButtons(running), running.visibleText.includes("Your visit now:")]).toEqual([
      ["Join call now"],
      true,
    ]);
    for (const over of [{ callEndedAt: new Date() }, { callEndedAt: null, status: "cancelled" }]) {
      await move(-30, over);
      const page = await known.get("/");
      expect([primaryButtons(page), page.visibleText.includes("visit now")]).toEqual([USUAL, false]);
    }
    expect((await (await family()).get("/")).visibleText).not.toContain("Your next visit");
  });

  test("shows a visitor no personal welcome section", async () => {
    const page = await visitor().get("/");
    expect(page.document.querySelector(".welcome")).toBeNull();
    expect(primaryButtons(page)).toEqual(USUAL);
  });
});
