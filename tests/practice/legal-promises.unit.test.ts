// Proves that docs/security.md quotes the legal pages as they stand and names tests that exist.
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { filesBelow, read } from "../support/source-files.ts";

const PAGES: Record<string, string> = {
  privacy: "privacy-policy",
  HIPAA: "hipaa-compliance",
  accessibility: "accessibility",
  terms: "terms-of-service",
};
const ROW = /^\| (privacy|HIPAA|accessibility|terms) \| "(.+)" \| (.+) \|$/gm;

const document = read("docs/security.md");
const promises = [...document.matchAll(ROW)].map(([, page = "", sentence = "", proof = ""]) => ({
  page,
  sentence,
  proof,
}));

/** The words of a page's source, without its tags. */
function wordsOf(page: string): string {
  return read(`app/practice/legal/${PAGES[page]}.tsx`)
    .replace(/\{" "\}|<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
}

test("each promise stands on its page, word for word", () => {
  expect(promises.length).toBeGreaterThan(40);
  expect(promises.filter(({ page, sentence }) => !wordsOf(page).includes(sentence))).toEqual([]);
});

test("each names its test, or says that it is conduct", () => {
  expect(promises.filter(({ proof }) => !/tests\/|\*conduct\*/.test(proof))).toEqual([]);
  const named = [...document.matchAll(/tests\/[\w./-]+\.(?:test|spec)\.ts/g)].map(([file]) => file);
  expect(named.length).toBeGreaterThan(80);
  expect([...new Set(named)].filter((file) => !existsSync(file))).toEqual([]);
});

test("every sentence in bold on a legal page is among them", () => {
  const bold = Object.keys(PAGES).flatMap((page) =>
    [...read(`app/practice/legal/${PAGES[page]}.tsx`).matchAll(/<strong>([^<:]+)<\/strong>/g)].map(([, words = ""]) =>
      words.replace(/\s+/g, " "),
    ),
  );
  expect(bold.length).toBeGreaterThan(3);
  expect(bold.filter((words) => !promises.some(({ sentence }) => sentence.includes(words)))).toEqual([]);
});

test("nothing records a visit, and the cookies are those that the policy tells of", () => {
  const sources = filesBelow("app").filter((file) => /\.tsx?$/.test(file));
  expect(sources.filter((file) => read(file).includes("MediaRecorder"))).toEqual([]);
  const setters = sources.filter((file) => read(file).includes("createCookie("));
  expect(setters.toSorted()).toEqual([
    "app/accounts/display-preferences.server.ts",
    "app/accounts/known-device.server.ts",
    "app/accounts/passkeys/challenge.server.ts",
    "app/accounts/second-factor/pending-sign-in.server.ts",
    "app/accounts/sessions/session.server.ts",
    "app/accounts/sessions/unsent-form.server.ts",
  ]);
});
