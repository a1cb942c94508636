// Proves that of a Cookie header only the product's own cookies are parsed, each once.
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testEnvironment } from "../support/test-environment.ts";

const folder = temporaryFolder("request-cookies");
Object.assign(process.env, await testEnvironment(`file:${folder}/none.db`, folder));
const { COOKIE_NAMES, pickOwnCookies } = await import("../../app/http/request-cookies.server.ts");

test("other cookies are left out, wherever they stand", () => {
  const others = Array.from({ length: 3_300 }, (_, number) => `c${number}=x`).join("; ");
  expect(pickOwnCookies(`${others}; session=a.b; ${others};comfort=dark;${others}`)).toBe("session=a.b; comfort=dark");
  for (const header of ["", others, "xsession=a", "session", "a=session=b", "session =a"])
    expect(pickOwnCookies(header)).toBe("");
});

test("of several with one name the first counts", () => {
  expect(pickOwnCookies("session=first; comfort=; session=second")).toBe("session=first; comfort=");
});

test.each(Object.values(COOKIE_NAMES))("%s is kept with any value", (name) => {
  for (const value of ["", "a=b==", '"quoted, %20"', "x".repeat(4_000)])
    expect(pickOwnCookies(`other=1; ${name}=${value}`)).toBe(`${name}=${value}`);
});
