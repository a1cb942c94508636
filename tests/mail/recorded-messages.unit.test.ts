// Proves that docs/mail has every message as it is mailed now, and what no subject and no preview may say.
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MAIL_EVENTS, topicOf } from "../../app/mail/events.ts";
import { SERVICES } from "../../app/practice/site-content.ts";
import { read } from "../support/source-files.ts";
import { COMPOSERS, everyMessage } from "./recorded/every-message.ts";
import { renderMessage } from "./recorded/render-message.ts";
import { FOLDER, messagesByPicture, pictureName, SCHEMES, writeTextTwins } from "./recorded/text-twins.ts";

const messages = everyMessage();

test("docs/mail has the text and the pictures of every message; npm run mail-pictures writes them", () => {
  expect(read(`${FOLDER}/README.md`)).toBe(writeTextTwins());
  const pictures = SCHEMES.flatMap((scheme) => messagesByPicture().map((_, index) => pictureName(scheme, index)));
  expect(pictures.filter((name) => !existsSync(`${FOLDER}/${name}`))).toEqual([]);
});

test("no event and no composed message is left out of them", () => {
  const events = new Set(messages.map(({ event }) => event));
  expect(Object.keys(MAIL_EVENTS).filter((event) => !events.has(event as keyof typeof MAIL_EVENTS))).toEqual([]);
  const source = read("tests/mail/recorded/every-message.ts") + read("app/mail/wording-catalog.ts");
  expect(Object.keys(COMPOSERS).filter((name) => !new RegExp(`\\b${name}\\(`).test(source))).toEqual([]);
});

describe.each(messages)("$title", (message) => {
  const { subject, preview, text, html } = renderMessage(message);

  test("says nothing on a lock screen that is nobody's business", () => {
    const shown = `${subject}\n${preview}`;
    expect(shown).not.toMatch(/Maria|Dana|\$|diagnos|autis|IEP|disab|medic|therap|child|special/i);
    for (const { title } of SERVICES) expect(shown).not.toContain(title);
    expect([subject.length <= 60, preview.length <= 90]).toEqual([true, true]);
  });

  test("says in plain text what it says as HTML, with the same links", () => {
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

  test("can be turned off where it is not essential, and only there", () => {
    expect([text, html].map((each) => each.includes("/unsubscribe/"))).toEqual(
      Array<boolean>(2).fill(topicOf(message.event) !== null),
    );
  });
});
