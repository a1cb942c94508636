// Proves how a child's grade is shown to the consultant, however the family wrote it.
import { expect, test } from "vitest";
import { summarizeChild } from "../../app/intake/child-summary.ts";

const form = { childName: "Leo", childAge: "8", primaryConcerns: [] } as unknown as Parameters<
  typeof summarizeChild
>[0];

test.each([
  ["3", "grade 3"],
  ["11", "grade 11"],
  ["3rd", "3rd grade"],
  ["1ST", "1ST grade"],
  ["3rd grade", "3rd grade"],
  ["Kindergarten", "Kindergarten"],
  ["2-3", "2-3"],
  ["", ""],
])("the grade %j is shown as %j", (gradeLevel, expected) => {
  expect(summarizeChild({ ...form, gradeLevel }).school).toBe(expected);
});
