import { writeFileSync } from "node:fs";
import path from "node:path";
import { parseHTML } from "linkedom";
import { temporaryFolder } from "../tests/support/temporary.ts";

const PROPERTY_NAMES: Record<string, string> = { class: "className", for: "htmlFor", charset: "charSet" };
const BOOLEANS = [
  "defer",
  "async",
  "required",
  "hidden",
  "checked",
  "selected",
  "disabled",
  "open",
  "multiple",
  "autofocus",
  "inert",
];
const ELEMENT = 1;
const TEXT = 3;

/** Writes a module whose `Page` makes a page's markup out of plain elements, as compiled JSX would. Returns its file. */
export function writeElements(html: string): string {
  const { document } = parseHTML(html);
  const react = import.meta.resolve("react");
  const code = `import { createElement as h } from ${JSON.stringify(react)};
export function Page() { return ${elementCode(document.documentElement)}; }`;
  const file = path.join(temporaryFolder("elements"), "page.mjs");
  writeFileSync(file, code);
  return file;
}

function elementCode(element: Element): string {
  const tag = element.localName;
  const properties = Object.fromEntries([...element.attributes].map(({ name, value }) => propertyOf(name, value)));
  if (tag === "script" || tag === "style") {
    if (element.textContent) properties.dangerouslySetInnerHTML = { __html: element.textContent };
    return `h(${JSON.stringify(tag)}, ${JSON.stringify(properties)})`;
  }
  const children = [...element.childNodes].flatMap((child) => {
    if (child.nodeType === TEXT) return [JSON.stringify(child.textContent)];
    return child.nodeType === ELEMENT ? [elementCode(child as Element)] : [];
  });
  return `h(${[JSON.stringify(tag), JSON.stringify(properties), ...children].join(", ")})`;
}

function propertyOf(name: string, value: string): [string, unknown] {
  if (value === "" && BOOLEANS.includes(name)) return [name === "autofocus" ? "autoFocus" : name, true];
  return [PROPERTY_NAMES[name] ?? name, value];
}
