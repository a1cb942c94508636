// Proves that the links of a list repeat only the known filters of its address, up to a maximum length.
import { expect, test } from "vitest";
import { returnQuery } from "../../app/booking/appointment-paths.ts";
import { pickFilterParams } from "../../app/dashboard/appointment-filters.ts";

test("links keep each non-empty known filter once and drop all other query parameters", () => {
  expect(pickFilterParams("?when=past&q=Ngô&view=x&status=&page=2")).toBe("?q=Ng%C3%B4&when=past&page=2");
  expect(pickFilterParams(`?${"sort=family&".repeat(300)}`)).toBe("?sort=family");
  expect(pickFilterParams("?other=1")).toBe("");
});

test("a filter query of more than 800 encoded characters is dropped", () => {
  expect(pickFilterParams(`?q=${"x".repeat(798)}`)).toHaveLength(801);
  expect(pickFilterParams(`?q=${"x".repeat(799)}`)).toBe("");
  expect(pickFilterParams(`?q=${"💙".repeat(100)}`)).toBe("");
});

test("a return path of more than 540 characters loses its query", () => {
  const path = (length: number) => `/calendar?${"x".repeat(length - "/calendar?".length)}`;
  expect(returnQuery(path(540))).toBe(`?${new URLSearchParams({ from: path(540) })}`);
  expect(returnQuery(path(541))).toBe("?from=%2Fcalendar");
});
