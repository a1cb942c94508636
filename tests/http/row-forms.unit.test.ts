// Proves that each form in a list row has an action attribute, without which it repeats the query of the page.
import { expect, test } from "vitest";
import { filesBelow, read } from "../support/source-files.ts";

const pages = filesBelow("app").filter((file) => file.endsWith(".tsx"));

/** The text up to the parenthesis that closes the one at `from`. */
function upToClosing(text: string, from: number): string {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")" && (depth -= 1) === 0) return text.slice(from, at);
  }
  return text.slice(from);
}

/** The code that runs once for each row. */
const rowCode = (text: string) =>
  [...text.matchAll(/\.(?:map|flatMap)\(/g)].map(({ index, 0: call }) => upToClosing(text, index + call.length - 1));

/** Each component of the file with its code. */
const componentsOf = (text: string) =>
  text.split(/^(?=(?:export )?(?:default )?(?:async )?function |(?:export )?const [A-Z])/m).map((code) => ({
    name: /^(?:export )?(?:default )?(?:async )?(?:function|const) (\w+)/.exec(code)?.[1] ?? "",
    code,
  }));

const components = pages.flatMap((file) => componentsOf(read(file)).map((each) => ({ ...each, file })));
const namesIn = (code: string) => [...code.matchAll(/<([A-Z]\w+)/g)].map(([, name = ""]) => name);

/** The names of the components that a row has, also inside others. */
function rowComponents(): Set<string> {
  const names = new Set(pages.flatMap((file) => rowCode(read(file)).flatMap(namesIn)));
  for (const name of names)
    for (const each of components) if (each.name === name) for (const inner of namesIn(each.code)) names.add(inner);
  return names;
}

const formsWithoutAction = (code: string) =>
  [...code.matchAll(/<(?:\w+\.)?[Ff]orm\b[^]*?(?<!=)>/g)].filter(([tag]) => !/\saction=/.test(tag)).length;

test("every form in a list row has an action attribute", () => {
  const inRow = rowComponents();
  expect([...inRow]).toEqual(expect.arrayContaining(["FollowUpItem", "WaitingListOfferCard", "VisitChoice"]));
  const perRow = [
    ...components.filter(({ name }) => inRow.has(name)),
    ...pages.flatMap((file) => rowCode(read(file)).map((code) => ({ file, code }))),
  ];
  expect(perRow.filter(({ code }) => formsWithoutAction(code) > 0).map(({ file }) => file)).toEqual([]);
});
