import { writeFileSync } from "node:fs";
import path from "node:path";
import { parseHTML } from "linkedom";
import { temporaryFolder } from "../tests/support/temporary-folder.ts";

const PROPERTY_NAMES: Record<string, string> = { class: "className", for: "htmlFor", charset: "charSet" };
const BOOLEAN_ATTRIBUTES = [
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
const ELEMENT_NODE = 1;
const TEXT_NODE = 3;

/** Writes a module whose `Page` renders the given page from plain elements, as compiled JSX would. Returns its path. */
export function writePageModule(html: string): string {
  const { document } = parseHTML(html);
  const react = import.meta.resolve("react");
  const code = `import { createElement as h } from ${JSON.stringify(react)};
export function Page() { return ${elementSource(document.documentElement)}; }`;
  const file = path.join(temporaryFolder("elements"), "page.mjs");
  writeFileSync(file, code);
  return file;
}

function elementSource(element: Element): string {
  const tag = element.localName;
  const properties = Object.fromEntries([...element.attributes].map(({ name, value }) => toReactProperty(name, value)));
  if (tag === "script" || tag === "style") {
    if (element.textContent) properties.dangerouslySetInnerHTML = { __html: element.textContent };
    return `h(${JSON.stringify(tag)}, ${JSON.stringify(properties)})`;
  }
  const children = [...element.childNodes].flatMap((child) => {
    if (child.nodeType === TEXT_NODE) return [JSON.stringify(child.textContent)];
    return child.nodeType === ELEMENT_NODE ? [elementSource(child as Element)] : [];
  });
  return `h(${[JSON.stringify(tag), JSON.stringify(properties), ...children].join(", ")})`;
}

function toReactProperty(name: string, value: string): [string, unknown] {
  if (value === "" && BOOLEAN_ATTRIBUTES.includes(name)) return [name === "autofocus" ? "autoFocus" : name, true];
  return [PROPERTY_NAMES[name] ?? name, value];
}
