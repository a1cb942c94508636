// Proves what search engines, link previews, phones and password managers find, and how the consultant is introduced.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { SERVICES } from "../../app/practice/site-content.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import { runCommand } from "../support/servers/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const PICTURE = Buffer.from("ffd8ffe000104a46494600010100000100010000ffd9", "hex");
const folder = temporaryFolder("portrait");
const picture = path.join(folder, "her.jpg");
writeFileSync(picture, PICTURE);
const WORDS = "I sat at this table once myself.";
Object.assign(environmentOverrides, {
  CONSULTANT_NAME: "Ruth <Okafor>",
  CONSULTANT_BIO: WORDS,
  CONSULTANT_LICENSE: "M.A., BCBA",
  CONSULTANT_PORTRAIT: picture,
});
const { family, origin, setTestClock, visitor } = await import("../support/site.ts");

/** Search engines index all of these but the last. */
const PUBLIC_PAGES = [
  "/",
  "/login",
  "/register",
  "/request-consultation",
  "/forgot-password",
  "/legal-request",
  "/comfort",
  "/privacy-policy",
  "/terms-of-service",
  "/hipaa-compliance",
  "/accessibility",
  "/login/passkey",
];

afterAll(() => setTestClock(null));

const contentOf = (page: Document, property: string) =>
  page.querySelector(`meta[property="${property}"]`)?.getAttribute("content");

describe("metadata of the public site", () => {
  test.each(PUBLIC_PAGES)("%s has a canonical URL, a title, a description and a preview image", async (address) => {
    const { document: page } = await visitor().get(`${address}?utm_source=elsewhere`);
    expect(page.querySelectorAll("link[rel=canonical]")).toHaveLength(1);
    expect(page.querySelector("link[rel=canonical]")?.getAttribute("href")).toBe(origin + address);
    expect(contentOf(page, "og:url")).toBe(origin + address);
    expect(contentOf(page, "og:title")).not.toBe("");
    expect(contentOf(page, "og:description")).toBe(
      page.querySelector("meta[name=description]")?.getAttribute("content"),
    );
    const image = contentOf(page, "og:image") ?? "";
    expect((await visitor().get(new URL(image).pathname)).headers["content-type"]).toBe("image/png");
  });

  test("an unknown page and a family's dashboard have no canonical URL and no preview metadata", async () => {
    for (const response of [await visitor().get("/nothing"), await (await family()).get("/dashboard")])
      expect(response.document.querySelector("link[rel=canonical], meta[property]")).toBeNull();
  });

  test("the sitemap lists every public page; robots.txt names the sitemap and disallows /documents", async () => {
    const sitemap = await visitor().get("/sitemap.xml");
    expect(sitemap.headers["content-type"]).toMatch(/^application\/xml/);
    const addresses = [...sitemap.text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = ""]) => address);
    expect(addresses.toSorted()).toEqual(
      PUBLIC_PAGES.slice(0, -1)
        .map((address) => origin + address)
        .toSorted(),
    );
    for (const address of addresses) {
      expect(address.startsWith(`${origin}/`)).toBe(true);
      expect((await visitor().get(new URL(address).pathname)).status).toBe(200);
    }
    const robots = await visitor().get("/robots.txt");
    expect(robots.text).toContain(`Sitemap: ${origin}/sitemap.xml`);
    expect(robots.text).toContain("Disallow: /documents");
  });

  test("the home page has JSON-LD with the practice, its hours and its prices, in which HTML is escaped", async () => {
    const { document: page, text } = await visitor().get("/");
    const block = page.querySelector("script[type='application/ld+json']")?.textContent ?? "";
    expect(text).not.toContain("<Okafor>");
    const practice = JSON.parse(block) as Record<string, never>;
    expect(practice).toMatchObject({
      "@type": "LocalBusiness",
      name: "Harbor Family Advocacy",
      telephone: "(732) 555-0142",
      url: `${origin}/`,
      employee: { name: "Ruth <Okafor>" },
      address: { addressLocality: "Long Branch", addressRegion: "NJ" },
    });
    const { makesOffer: offers, openingHoursSpecification: hours } = practice as unknown as {
      makesOffer: { itemOffered: { name: string }; priceSpecification: object }[];
      openingHoursSpecification: { dayOfWeek: string; opens: string; closes: string }[];
    };
    expect(offers.map(({ itemOffered }) => itemOffered.name)).toEqual(SERVICES.map(({ title }) => title));
    expect(offers[0]?.priceSpecification).toMatchObject({ priceCurrency: "USD", price: 75 });
    expect(offers.at(-1)?.priceSpecification).toMatchObject({ minPrice: 40, maxPrice: 75 });
    expect(hours[2]).toMatchObject({ dayOfWeek: "Tuesday", opens: "18:30", closes: "21:00" });
  });

  test("the manifest's icons exist, and /.well-known/change-password redirects to the settings", async () => {
    const { document: page } = await visitor().get("/");
    const manifestPath = page.querySelector("link[rel=manifest]")?.getAttribute("href") ?? "";
    const manifest = await visitor().get(manifestPath);
    expect(manifest.headers["content-type"]).toMatch(/^application\/manifest\+json/);
    const icons = (manifest.json as { icons: { src: string; type: string }[] }).icons.map(({ src }) => src);
    const touchIcon = page.querySelector("link[rel=apple-touch-icon]")?.getAttribute("href") ?? "";
    for (const icon of [...icons, touchIcon]) expect((await visitor().get(icon)).status).toBe(200);
    const redirected = await (await family()).get("/.well-known/change-password");
    expect([redirected.status, redirected.headers.location]).toEqual([302, "/dashboard/settings"]);
  });
});

describe("the consultant's introduction", () => {
  test("follows the hero section, with a picture that is cached as immutable", async () => {
    const { document: page } = await visitor().get("/");
    const letter = page.querySelector("#home + .letter-section .letter");
    expect(letter?.textContent).toBe(`${WORDS}Ruth <Okafor>M.A., BCBA`);
    const address = letter?.querySelector("img")?.getAttribute("src") ?? "";
    const response = await visitor().get(address);
    expect([response.headers["content-type"], response.bytes]).toEqual(["image/jpeg", PICTURE]);
    expect(response.headers["cache-control"]).toContain("immutable");
    expect((await visitor().get("/portrait/0000000000000000.jpeg")).status).toBe(404);
  });

  test("shows the next open time, also when the home page comes from the cache", async () => {
    setTestClock(() => new Date("2027-03-01T15:00:30Z"));
    const shown = async () => (await visitor().get("/")).visibleText;
    expect(await shown()).toContain("Next open time: Mon, Mar 1, 2027 at 10:30 AM ET");
    setTestClock(() => new Date("2027-03-02T01:00:30Z"));
    expect(await shown()).toContain("Next open time: Tue, Mar 2, 2027 at 6:30 PM ET");
    expect(await shown()).not.toContain("Mar 1,");
  });

  test.each([
    ["a file that is not a picture", "CONSULTANT_PORTRAIT must be a JPEG, PNG or WebP picture", "%PDF-1.7"],
    ["a picture that is too large", "of at most 200 KB", `${PICTURE.toString("latin1")}${"x".repeat(210_000)}`],
    ["a missing file", "must name a file that this account can read", null],
  ])("exits at start with a one-line error if CONSULTANT_PORTRAIT names %s", async (_, line, content) => {
    const file = path.join(temporaryFolder("portrait"), "portrait.jpg");
    if (content !== null) writeFileSync(file, content, "latin1");
    const { code, output } = await runCommand(["server.ts"], {
      DATA_DIR: temporaryFolder("settings"),
      PORT: "3999",
      CONSULTANT_NAME: "Ruth Okafor",
      CONSULTANT_PORTRAIT: file,
    });
    expect(code).toBe(1);
    expect(output.trim().split("\n")).toEqual([expect.stringContaining(line)]);
  });
});
