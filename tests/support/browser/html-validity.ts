import { HtmlValidate } from "html-validate";

/** The rules of the HTML standard; those of style are the formatter's and the linter's. */
const validator = new HtmlValidate({
  extends: ["html-validate:standard"],
  rules: {
    // Autocomplete tokens, ARIA and names are axe's.
    "valid-autocomplete": "off",
    "no-redundant-for": "off",
  },
});

/** What breaks the HTML standard in a document, as served or as the browser has it. */
export async function invalidHtml(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  const found = results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector ?? "document"})`),
  );
  return [...new Set(found)];
}

/** What the Nu validator asks for besides: a heading in each section, and an empty first choice where one is required. */
export function findIncompleteElements(): string[] {
  const sections = [...document.querySelectorAll("section, article")]
    .filter((section) => !section.querySelector("h1, h2, h3, h4"))
    .map((section) => `a section without a heading: ${section.outerHTML.slice(0, 120)}`);
  const selects = [...document.querySelectorAll("select")]
    .filter(({ required, options }) => required && options[0]?.value !== "")
    .map(({ name }) => `${name} is required without an empty first choice`);
  return [...sections, ...selects];
}
