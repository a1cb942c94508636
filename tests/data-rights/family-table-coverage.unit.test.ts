// Proves that nobody adds a table without deciding what a family's copy and its erasure do with it.
import { expect, test } from "vitest";
import { DECIDED, models, WITH_ACCOUNT } from "../support/family-tables.ts";

test("every table is in the copy and in the erasure, or left out for a reason that is written here", () => {
  expect(models.length).toBeGreaterThan(20);
  expect(models.map(({ name }) => name).toSorted()).toEqual(Object.keys(DECIDED).toSorted());
});

test("the database itself deletes with the account what is said to go with it", () => {
  const claimed = Object.keys(DECIDED).filter((name) => DECIDED[name]?.[1] === WITH_ACCOUNT);
  const cascading = models.filter(({ text }) => /User\?? .*onDelete: Cascade/.test(text)).map(({ name }) => name);
  expect(claimed.filter((name) => !cascading.includes(name))).toEqual([]);
});
