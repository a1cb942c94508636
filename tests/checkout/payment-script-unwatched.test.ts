// Proves that the payment script is not checked when payments don't use Square.
import { expect, test, vi } from "vitest";
import { db, testing } from "../support/site.ts";

test("with the simulator the job sends no request and stores no script version", async () => {
  const fetched = vi.spyOn(globalThis, "fetch");
  await testing.JOBS.find(({ name }) => name === "checking the payment script")!.run(new AbortController().signal);
  expect(fetched).not.toHaveBeenCalled();
  expect(await db.paymentScript.count()).toBe(0);
});
