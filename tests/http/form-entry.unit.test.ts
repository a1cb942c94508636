// Holds that every body comes in by one module and every form by another, which give no library a name but a schema's.
import { expect, test } from "vitest";
import { filesBelow, read } from "../support/source-files.ts";

const sources = filesBelow("app").filter((file) => /\.tsx?$/.test(file));
const filesWith = (pattern: RegExp) => sources.filter((file) => pattern.test(read(file)));

test("only app/http/form.server.ts parses forms and knows the library that makes paths of field names", () => {
  expect(filesWith(/\.formData\(|@conform-to\/zod/)).toEqual(["app/http/form.server.ts"]);
});

test("only app/http/body.server.ts reads a request", () => {
  const reads = /\brequest\.(body\b|text\(|json\(|blob\(|bytes\(|arrayBuffer\()/;
  expect(filesWith(reads)).toEqual(["app/http/body.server.ts"]);
});
