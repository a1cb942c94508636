// Proves that the links of a list repeat only the known filters of its address, up to a maximum length.
import { expect, test } from "vitest";
import { buildReturnPathQuery } from "../../app/booking/appointment-paths.ts";
import { pickAppointmentFilterParams } from "../../app/dashboard/appointment-filters.ts";

test("links keep each non-empty known filter once and drop all other query parameters", () => {
  expect(pickAppointmentFilterParams("?when=past&q=Ngô&view=x&status=&page=2")).toBe("?q=Ng%C3%B4&when=past&page=2");
  expect(pickAppointmentFilterParams(`?${"sort=family&".repeat(300)}`)).toBe("?sort=family");
  expect(pickAppointmentFilterParams("?other=1")).toBe("");
});

test("a filter query of more than 800 encoded characters is dropped", () => {
  expect(pickAppointmentFilterParams(`?q=${"x".repeat(798)}`)).toHaveLength(801);
  expect(pickAppointmentFilterParams(`?q=${"x".repeat(799)}`)).toBe("");
  expect(pickAppointmentFilterParams(`?q=${"💙".repeat(100)}`)).toBe("");
});

test("a return path of more than 540 characters loses its query", () => {
  const path = (length: number) => `/calendar?${"x".repeat(length - "/calendar?".length)}`;
  expect(buildReturnPathQuery(path(540))).toBe(`?${new URLSearchParams({ from: path(540) })}`);
  expect(buildReturnPathQuery(path(541))).toBe("?from=%2Fcalendar");
});
