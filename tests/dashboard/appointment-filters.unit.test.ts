// Proves that the links of a list repeat no more of its address than the filters that it has.
import { expect, test } from "vitest";
import { returnQuery } from "../../app/booking/paths.ts";
import { pickFilterParams } from "../../app/dashboard/appointment-filters.ts";

test("links carry the filters, each once, and nothing else of an address", () => {
  expect(pickFilterParams("?when=past&q=Ngô&view=x&status=&page=2")).toBe("?q=Ng%C3%B4&when=past&page=2");
  expect(pickFilterParams(`?${"sort=family&".repeat(300)}`)).toBe("?sort=family");
  expect(pickFilterParams("?other=1")).toBe("");
});

test("filters that are longer than any of ours are carried by no link", () => {
  expect(pickFilterParams(`?q=${"x".repeat(798)}`)).toHaveLength(801);
  expect(pickFilterParams(`?q=${"x".repeat(799)}`)).toBe("");
  expect(pickFilterParams(`?q=${"💙".repeat(100)}`)).toBe("");
});

test("of an address that is too long to return to, the path is left", () => {
  const path = (length: number) => `/calendar?${"x".repeat(length - "/calendar?".length)}`;
  expect(returnQuery(path(540))).toBe(`?${new URLSearchParams({ from: path(540) })}`);
  expect(returnQuery(path(541))).toBe("?from=%2Fcalendar");
});
