// Proves that docs/mail has every message as it is sent now, and that subjects and previews reveal nothing private.
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { escapeHtml } from "../../app/http/escape-html.ts";
import { MAIL_EVENTS, UNSUBSCRIBE_LABELS, mailTopicOfEvent } from "../../app/mail/mail-events.ts";
import { SERVICES } from "../../app/practice/site-content.ts";
import { read } from "../support/source-files.ts";
import { COMPOSERS, everyMessage } from "./recorded/every-message.ts";
import { renderMessage } from "./recorded/render-message.ts";
import { FOLDER, messagesByPicture, pictureName, SCHEMES, renderTextVersions } from "./recorded/text-versions.ts";

const messages = everyMessage();

test("docs/mail has the text and the pictures of every message; npm run mail-pictures writes them", () => {
  expect(read(`${FOLDER}/README.md`)).toBe(renderTextVersions());
  const pictures = SCHEMES.flatMap((scheme) => messagesByPicture().map((_, index) => pictureName(scheme, index)));
  expect(pictures.filter((name) => !existsSync(`${FOLDER}/${name}`))).toEqual([]);
});

test("docs/mail covers every mail event and every message composer", () => {
  const events = new Set(messages.map(({ event }) => event));
  expect(Object.keys(MAIL_EVENTS).filter((event) => !events.has(event as keyof typeof MAIL_EVENTS))).toEqual([]);
  const source = [
    "tests/mail/recorded/every-message.ts",
    "tests/mail/recorded/consultant-messages.ts",
    "tests/mail/recorded/visit-messages.ts",
    "app/mail/wording-samples.ts",
  ]
    .map(read)
    .join("\n");
  expect(Object.keys(COMPOSERS).filter((name) => !new RegExp(`\\b${name}\\(`).test(source))).toEqual([]);
});

test("the consultant can word every message to families, except those that the page and docs/product.md name", () => {
  const fixed = messages.filter(({ title, content }) => !title.startsWith("To the consultant") && !content.wording);
  expect(fixed.map(({ title }) => title)).toEqual([
    "Visit canceled with the account, paid by card",
    "Change of address taken back",
    "Link to the earlier address ended",
    "Account to be deleted, while it is closed",
    "Account to be deleted, to its earlier address",
    "Account to be deleted, scheduled by the consultant, to its earlier address",
    "Account kept, by the consultant",
    "Account kept, while it is closed",
    "Account kept, with the undo of a change of address",
  ]);
});

test("no email to the consultant offers a password reset; security emails name the operations guide's section", () => {
  const own = messages.filter(({ title }) => title.startsWith("To the consultant"));
  const texts = own.map((message) => renderMessage(message).text);
  expect(texts.filter((text) => /forgot|call us/i.test(text))).toEqual([]);
  const security = texts.filter((text) => text.includes("operations guide"));
  expect([own.length, security.length]).toEqual([22, 5]);
  for (const text of security) expect(text).toContain("in the section Keys and passwords.");
  expect(read("docs/operations.md")).toMatch(/^## \d+\. Keys and passwords$[^]*admin\.js password/m);
});

test("every email without a name, except one, says what to do if it isn't for its reader", () => {
  const unnamed = messages.filter(({ content }) => !content.firstName);
  const says = /isn't for you|wasn't you|you didn't|Not expecting|by mistake/;
  const without = unnamed.filter((message) => !says.test(renderMessage(message).text));
  expect([unnamed.length, without.map(({ title }) => title)]).toEqual([14, ["Change of address taken back"]]);
});

test("times have no-break spaces in HTML and normal spaces in plain text", () => {
  const broken = /\d (?:[AP]M)|[AP]M [A-Z]{2}/;
  const [texts, documents] = [
    messages.map((message) => renderMessage(message).text),
    messages.map((message) =>
      renderMessage(message).html.replace(/<title>.*?<\/title>|<div style="display: none.*?<\/div>/gs, ""),
    ),
  ];
  expect(documents.filter((html) => broken.test(html))).toEqual([]);
  expect(texts.filter((text) => text.includes("\u00A0"))).toEqual([]);
  expect(documents.filter((html) => html.includes("10:00\u00A0AM\u00A0ET")).length).toBeGreaterThan(20);
});

describe.each(messages)("$title", (message) => {
  const { subject, preview, text, html } = renderMessage(message);

  test("has a short subject and preview without names, amounts, services or health terms", () => {
    const shown = `${subject}\n${preview}`;
    expect(shown).not.toMatch(/Maria|Dana|\$|diagnos|autis|IEP|disab|medic|therap|child|special/i);
    for (const { title } of SERVICES) expect(shown).not.toContain(title);
    expect([subject.length <= 60, preview.length <= 90]).toEqual([true, true]);
  });

  test("has the same text and links in its plain-text and HTML versions", () => {
    const links = (document: string) => new Set(document.match(/https:\/\/[^\s"<]+/g));
    expect(links(text)).toEqual(links(html));
    const withoutLinks = html.replace(/^.*<h1/s, "<h1").replace(/<\/?a\b[^>]*>/g, "");
    const words = withoutLinks
      .replace(/<[^>]+>/g, " ")
      .replace(/\s+/g, " ")
      .replaceAll("&#39;", "'");
    for (const paragraph of [...message.content.paragraphs, ...(message.content.closing ?? [])]) {
      expect(text).toContain(paragraph);
      expect(words).toContain(paragraph);
    }
  });

  test("pads its hidden preview so that the inbox shows no other text after the subject", () => {
    const [, hidden = ""] = /<body[^>]*>\s*<div style="display: none[^>]*>(.*?)<\/div>/.exec(html) ?? [];
    expect(hidden.startsWith(escapeHtml(preview))).toBe(true);
    expect(hidden.slice(escapeHtml(preview).length)).toMatch(/^(?:&#847;&zwnj;&nbsp;){100,}$/);
  });

  test("has an unsubscribe link that names its topic if it is optional, and none if it is essential", () => {
    const topic = mailTopicOfEvent(message.event);
    expect([text, html].map((each) => each.includes("/unsubscribe/"))).toEqual(Array<boolean>(2).fill(topic !== null));
    const label = topic ? UNSUBSCRIBE_LABELS[topic] : "";
    expect([text, html].map((each) => each.includes(label))).toEqual([true, true]);
  });
});
