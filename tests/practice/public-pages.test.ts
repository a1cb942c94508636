// Proves the public pages' content, metadata, legal pages and 404.
import { describe, expect, test } from "vitest";
import { ACCOUNT_REQUIRED_MESSAGE, ADD_ONS, formatServicePrice, SERVICES } from "../../app/practice/site-content.ts";
import { family, origin, visitor } from "../support/site.ts";

const LEGAL = ["/privacy-policy", "/terms-of-service", "/hipaa-compliance", "/accessibility"];
const texts = (nodes: Iterable<Element>) =>
  [...nodes].map((node) => (node.textContent ?? "").replace(/\s+/g, " ").trim());

describe("the offered services", () => {
  test("have the specified prices", () => {
    expect(SERVICES.map((service) => [service.title, formatServicePrice(service)])).toEqual([
      ["Initial Consultation", "$75"],
      ["Hourly Consulting", "$75"],
      ["Starter Support Package", "$175"],
      ["Advocacy Partner Package", "$325"],
      ["Monthly Retainer", "$400"],
      ["Add-On Services", "$40-75"],
    ]);
    expect(ADD_ONS).toEqual([
      { title: "Document Preparation", priceCents: 7500 },
      { title: "School Meeting Attendance", priceCents: 7500 },
      { title: "Follow-up Consultation", priceCents: 4000 },
      { title: "Resource Research and Compilation", priceCents: 4000 },
    ]);
  });

  test("list what each of them includes", () => {
    const features = (title: string) => SERVICES.find((service) => service.title === title)?.features ?? [];
    expect(features("Initial Consultation")).toContain("90-minute session");
    expect(features("Hourly Consulting")).toContain("One-hour sessions");
    expect(features("Starter Support Package")).toEqual([
      "The initial consultation",
      "A follow-up session",
      "30 days of email guidance",
    ]);
    for (const service of SERVICES) expect(service.features.length).toBeGreaterThan(0);
  });
});

describe("the public page for a visitor", () => {
  test("has every section that the navigation links to", async () => {
    const { document: page } = await visitor().get("/");
    const sections = [...page.querySelectorAll("main > section")].map((section) => section.id);
    expect(sections).toEqual(["home", "about", "services", "resources", "contact"]);
    const [top] = page.querySelectorAll("header nav");
    expect(texts(top!.querySelectorAll("a"))).toEqual([
      "Home",
      "About",
      "Services",
      "Resources",
      "Sign In",
      "Get Started",
    ]);
    expect([...top!.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual([
      "/#home",
      "/#about",
      "/#services",
      "/#resources",
      "/login",
      "/register",
    ]);
    expect(page.querySelectorAll("h1")).toHaveLength(1);
  });

  test("links to the services from both buttons at the top", async () => {
    const { document: page } = await visitor().get("/");
    const buttons = [...page.querySelectorAll("#home a")].map((link) => [link.textContent, link.getAttribute("href")]);
    expect(buttons).toEqual([
      ["Schedule Consultation", "#services"],
      ["Learn More", "#services"],
    ]);
  });

  test("shows the facts about the practice", async () => {
    const { visibleText: words } = await visitor().get("/");
    for (const fact of [
      "Over 10 years of experience",
      "Consulting/Advocating",
      "IEP and educational advocacy",
      "Medical coordination",
      "Home management strategies",
      "Child care services",
      "Long Branch, NJ",
      "Serving families across New Jersey and nearby",
      "Bachelor's in psychology",
      "Master's in applied behavior analysis, with an autism concentration",
      "Response within 24 hours",
      "Nationwide virtual consultations",
      "In-person services: Metro area",
      "Emergency consultations available",
      "Licensed Professional Services • HIPAA Compliant",
    ]) {
      expect(words).toContain(fact);
    }
  });

  test("shows each service's price on its card with a link to register and book it", async () => {
    const { document: page } = await visitor().get("/");
    const cards = [...page.querySelectorAll("#services .offer")];
    expect(cards.map((card) => card.querySelector("h3")?.textContent)).toEqual(SERVICES.map(({ title }) => title));
    for (const [index, card] of cards.entries()) {
      expect(card.textContent).toContain(formatServicePrice(SERVICES[index]!));
      const link = card.querySelector("a")!;
      expect(texts([link])[0]).toBe(`Request to Book ${SERVICES[index]!.title}`);
      const service = encodeURIComponent(SERVICES[index]!.title);
      expect(link.getAttribute("href")).toBe(`/register?from=booking&service=${service}`);
      expect(link.getAttribute("data-href")).toBe(`/register?service=${service}`);
      expect(link.getAttribute("data-alert")).toBe(
        "Please create an account first to schedule appointments. You'll be redirected to the registration page.",
      );
    }
    const prompt = page.querySelector("#services .notice");
    expect(prompt?.querySelector("p")?.textContent).toBe("Create an account to book an appointment");
    expect(prompt?.querySelector("a[href='/register']")?.textContent).toBe("Create Account");
  });

  test("shows the office hours of each day", async () => {
    const { document: page } = await visitor().get("/");
    const week = [...page.querySelectorAll("#contact .hours > div")].map((row) => texts(row.children).join(" "));
    expect(week).toEqual([
      "Sun 9am-7pm",
      "Mon 9am-7pm",
      "Tue after 6:30pm by appointment",
      "Wed 9am-1:30pm",
      "Thu after 6:30pm by appointment",
      "Fri 3pm-7pm",
      "Sat 9am-7pm",
    ]);
    expect(page.querySelector("#contact form")).toBeNull();
  });

  test("announces six resources with disabled buttons", async () => {
    const { document: page } = await visitor().get("/");
    const cards = [...page.querySelectorAll("#resources .resource")];
    expect(
      cards.map((card) => [card.querySelector("h3")?.textContent, card.querySelector("button")?.textContent]),
    ).toEqual([
      ["IEP Meeting Preparation Guide", "Download PDF"],
      ["Rights & Accommodations Checklist", "View Online"],
      ["Webinar Series", "Watch Now"],
      ["Support Group Directory", "Find Groups"],
      ["Special Education Law Guide", "Read More"],
      ["Monthly Newsletter", "Subscribe"],
    ]);
    expect(cards.every((card) => card.querySelector("button")?.hasAttribute("disabled"))).toBe(true);
    expect(page.querySelectorAll("#resources a")).toHaveLength(0);
    expect(page.getElementById("resources")?.textContent).toContain(
      "COMING SOON!!Exciting resources are on their way!",
    );
  });

  test("loads only one script file, and has no inline styles or click handlers", async () => {
    const { document: page } = await visitor().get("/");
    const scripts = [...page.querySelectorAll("script:not([type='application/ld+json'])")];
    expect(scripts).toHaveLength(1);
    expect(scripts[0]?.getAttribute("src")).toMatch(/^\/assets\/unhydrated-page-script-[\w-]+\.js$/);
    expect(page.querySelectorAll("[style], [onclick]")).toHaveLength(0);
  });

  test("links to a registration page that shows the account-required message without JavaScript", async () => {
    const { visibleText: words } = await visitor().get("/register?from=booking");
    expect(words).toContain(ACCOUNT_REQUIRED_MESSAGE);
  });
});

describe("the public page for a signed-in family", () => {
  test("links from each service card to its booking", async () => {
    const { document: page } = await (await family()).get("/");
    const links = [...page.querySelectorAll("#services .offer a")].map((link) => link.getAttribute("href"));
    expect(links).toEqual(SERVICES.map(({ title }) => `/appointments?service=${encodeURIComponent(title)}`));
    expect(page.querySelector("[data-alert]")).toBeNull();
  });

  test("has no links to sign in or to create an account", async () => {
    const { document: page } = await (await family()).get("/");
    expect(page.querySelectorAll("header a[href='/login'], a[href='/register']")).toHaveLength(0);
  });

  test("has the account menu with a greeting and a description of each item", async () => {
    const { document: page } = await (await family({ firstName: "Priya" })).get("/");
    const menu = page.querySelector("header details")!;
    expect(menu.querySelector("summary")?.textContent).toContain("Hello, Priya");
    expect(texts(menu.querySelectorAll(".menu-item"))).toEqual([
      "DashboardView your client portal overview",
      "AppointmentsSchedule and manage appointments",
      "DocumentsUpload and manage files",
      "MessagesWhat we have written to you",
      "HomeReturn to main website",
      "Display settingsLarger text, calmer colors",
      "LogoutSign out of your account",
    ]);
  });
});

describe("the legal pages", () => {
  test.each(LEGAL)("%s shows its effective date and a phone link for questions", async (path) => {
    const { status, visibleText: words, document: page } = await visitor().get(path);
    expect(status).toBe(200);
    expect(words).toContain("Last updated: December 2024");
    expect(words).toContain("Effective: January 1, 2025");
    expect(words).toContain("Long Branch, NJ");
    expect(page.querySelector("main a[href^='tel:']")).not.toBeNull();
    expect(page.querySelector("meta[name=description]")).not.toBeNull();
  });

  test("the privacy policy names the servers that learn a family's network address before a visit by video", async () => {
    const { visibleText: words } = await visitor().get("/privacy-policy");
    expect(words).toContain("each device asks stun.cloudflare.com and stun.l.google.com for its own network address");
  });

  test("the terms state their own prices and deadlines, and that the price shown at booking is charged", async () => {
    const { visibleText: words } = await visitor().get("/terms-of-service");
    for (const figure of [
      "Initial Consultation: $50",
      "Advocacy Partner Package: $250",
      "Hourly Consulting: contact for pricing",
      "The price shown when you book is the one you are charged",
      "Payment is due at booking",
      "24 or more hours notice: a full refund",
      "less than 24 hours notice: a 50% fee",
      "the full price is charged",
      "reviewed case by case",
      "30 days written notice",
      "charged automatically each month",
      "privacy requests within 30 days",
    ]) {
      expect(words).toContain(figure);
    }
  });

  test("state deadlines: 60 days for breach notices, 30 for privacy requests, 2 business days for feedback", async () => {
    expect((await visitor().get("/hipaa-compliance")).visibleText).toContain("no later than 60 days");
    expect((await visitor().get("/privacy-policy")).visibleText).toContain(
      "We respond to privacy requests within 30 days",
    );
    expect((await visitor().get("/accessibility")).visibleText).toContain("within 2 business days");
  });
});

describe("an error page", () => {
  test("for an unknown path has status 404, a link to the home page and a phone link", async () => {
    const { status, document: page } = await visitor().get("/no/such/page");
    expect(status).toBe(404);
    expect(page.title).toMatch(/^404 Page Not Found/);
    expect(texts(page.querySelectorAll("h1"))).toEqual(["404 Page Not Found"]);
    expect(page.querySelector("main a[href='/']")).not.toBeNull();
    expect(page.querySelector("main a[href^='tel:']")).not.toBeNull();
  });

  test("for a family's request with status 403 or 405 has the site's title, account menu and contact links", async () => {
    const ana = await family();
    for (const [response, status] of [
      [await ana.get("/families"), 403],
      [await ana.form("/receipts", { a: "b" }), 405],
    ] as const) {
      expect(response.status).toBe(status);
      const { document: page } = response;
      expect(page.title).toMatch(/ · Harbor Family Advocacy$/);
      expect(page.querySelector("footer a[href^='tel:']")).not.toBeNull();
      expect(page.querySelector("footer a[href^='mailto:']")).not.toBeNull();
      expect(page.querySelector("header [data-menu] summary")?.textContent).toContain(`Hello, ${ana.firstName}`);
    }
  });
});

describe("security.txt", () => {
  const PATH = "/.well-known/security.txt";

  test("is plain text with the contact and an expiry date 170 to 365 days ahead", async () => {
    const { status, headers, text } = await visitor().get(PATH);
    expect([status, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(text).toMatch(/^Contact: mailto:consultant@example\.com\nExpires: .+\nPreferred-Languages: en\nCanonical: /);
    expect(text.trim().endsWith(`${origin}${PATH}`)).toBe(true);
    const days = (Date.parse(/Expires: (\S+)/.exec(text)?.[1] ?? "") - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(170);
    expect(days).toBeLessThan(365);
  });

  test("can't be posted to; another file name gets 404 and another host 421", async () => {
    expect((await visitor().post(PATH, {})).status).toBeGreaterThanOrEqual(400);
    expect((await visitor().get("/.well-known/other.txt")).status).toBe(404);
    expect((await visitor().get(PATH, { Host: "elsewhere.example" })).status).toBe(421);
  });
});
