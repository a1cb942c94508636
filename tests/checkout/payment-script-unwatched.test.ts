// Proves that no script is asked for where Square takes no cards.
import { expect, test, vi } from "vitest";
import { db, testing } from "../support/site.ts";

test("with the simulator nothing is fetched, noted or told", async () => {
  const fetched = vi.spyOn(globalThis, "fetch");
  await testing.JOBS.find(({ name }) => name === "checking the payment script")!.run(new AbortController().signal);
  expect(fetched).not.toHaveBeenCalled();
  expect(await db.paymentScript.count()).toBe(0);
});
