// Proves the age computed from a birthday as families write it, and that no age is computed from any other text.
import { expect, test } from "vitest";
import { formatAge } from "../../app/intake/format-age.ts";

test.each([
  ["March 14, 2017", "9 years"],
  ["Mar. 14th 2017", "9 years"],
  ["3/14/2017", "9 years"],
  [" 2017-03-14 ", "9 years"],
  ["November 20, 2016", "10 years"],
  ["November 21, 2016", "9 years"],
  ["11-21-2025", "11 months"],
  ["3/14/17", "9 years"],
  ["3/14/98", "28 years"],
  ["2/29/24", "2 years"],
  ["October 20, 2026", "1 month"],
  ["November 20, 2026", "0 months"],
  ["November 20, 2024", "2 years"],
])("the birthday %s gives the age %s", (birthday, age) => {
  expect(formatAge("2026-11-20", birthday)).toBe(age);
});

test.each([
  "",
  "spring of 2017",
  "2017",
  "14/3/2017",
  "14/3/17",
  "February 30, 2017",
  "Smarch 14, 2017",
  "November 21, 2026",
  "March 14, 1800",
  "9".repeat(100_000),
  `March ${" ".repeat(100_000)}14, 2017`,
])("text without a plausible birthday gives no age (%#)", (birthday) => {
  expect(formatAge("2026-11-20", birthday)).toBeNull();
});
