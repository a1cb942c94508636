// Proves that the short ids of the routes are unique, and stay the same when another route is added.
import { expect, test } from "vitest";
import { findRouteId, routePaths } from "../support/route-table.ts";

test("each route and layout has an id of its own", () => {
  const pages = routePaths.map(({ id }) => id);
  const layouts = new Set(routePaths.flatMap(({ layoutIds }) => layoutIds));
  // A page with pages below it is one of their layouts.
  const all = [...pages, ...[...layouts].filter((id) => !pages.includes(id))];
  expect(new Set(all).size).toBe(all.length);
  expect(all).not.toContain("root");
});

test("an id comes from the address: an open tab of an earlier release still finds its data", () => {
  const closeAccount = routePaths.find(({ path }) => path === "/families/:id/close");
  expect(closeAccount?.layoutIds.at(-1)).toMatchInlineSnapshot(`"uIm"`);
  expect([findRouteId("/login"), findRouteId("/dashboard"), findRouteId("/families/:id")]).toMatchInlineSnapshot(`
    [
      "GPN",
      "U9_",
      "qOP",
    ]
  `);
});
