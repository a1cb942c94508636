import type { Screenshot } from "./capture.ts";

/** One page with everything on it: a row for each state, a column for each width and scheme. */
export function indexPage(pictures: Screenshot[]): string {
  const rows = Map.groupBy(pictures, ({ role, name }) => `${role} · ${name}`);
  const roles = [...new Set(pictures.map(({ role }) => role))];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Every page and dialog</title>
<style>
  body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #222; background: #eee; }
  header { position: sticky; top: 0; padding: 0.75rem 1.5rem; background: #fff; border-bottom: 1px solid #bbb; z-index: 1; }
  header a { margin-right: 1.5rem; }
  section { padding: 1rem 1.5rem; scroll-margin-top: 4rem; }
  h2 { margin: 0 0 0.5rem; font-size: 1.1rem; }
  h2 code { font-weight: 400; color: #555; }
  div { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: flex-start; }
  figure { margin: 0; }
  figcaption { font-size: 0.8rem; color: #555; }
  img { display: block; height: 22rem; max-width: 32rem; object-fit: cover; object-position: top; border: 1px solid #bbb; background: #fff; }
</style>
<header><strong>${pictures.length} pictures</strong> ${roles.map((role) => `<a href="#${escaped(role)}">${escaped(role)}</a>`).join(" ")}</header>
${[...rows].map(([title, own]) => rowOf(title, own, roles)).join("\n")}
</html>
`;
}

function rowOf(title: string, pictures: Screenshot[], roles: string[]): string {
  const [first] = pictures;
  const anchor = roles.find((role) => title.startsWith(role) && roles.splice(roles.indexOf(role), 1));
  const figures = pictures.map(
    ({ file, width, scheme }) =>
      `<figure><a href="${file}"><img loading="lazy" src="${file}" alt="${escaped(title)}, ${width} px, ${scheme}"></a><figcaption>${width} ${scheme}</figcaption></figure>`,
  );
  return `<section${anchor ? ` id="${escaped(anchor)}"` : ""}><h2>${escaped(title)} <code>${escaped(first?.path ?? "")}</code></h2><div>${figures.join("")}</div></section>`;
}

function escaped(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
