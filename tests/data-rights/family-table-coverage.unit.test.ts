// Proves that no table is added without a decision about how the data export and the erasure treat it.
import { expect, test } from "vitest";
import { DECIDED, models, WITH_ACCOUNT } from "../support/family-tables.ts";

test("every table has a recorded decision about the data export and the erasure", () => {
  expect(models.length).toBeGreaterThan(20);
  expect(models.map(({ name }) => name).toSorted()).toEqual(Object.keys(DECIDED).toSorted());
});

test("tables recorded as deleted with the account have a relation to the user with cascading deletes", () => {
  const claimed = Object.keys(DECIDED).filter((name) => DECIDED[name]?.[1] === WITH_ACCOUNT);
  const cascading = models.filter(({ text }) => /User\?? .*onDelete: Cascade/.test(text)).map(({ name }) => name);
  expect(claimed.filter((name) => !cascading.includes(name))).toEqual([]);
});
