// Proves that what a family was refused is counted in its own copy and contained in the consultant's.
import { expect, test } from "vitest";
import { consultant, family } from "../support/site.ts";
import { zipEntries } from "../support/zip-entries.ts";

const REFUSED = "was refused a record";

test("a family's refusals are counted in its own copy as left out, and are in the consultant's whole copy", async () => {
  const [maria, devon] = [await family(), await family()];
  for (const path of [`/families/${devon.id}`, "/activity"]) expect((await maria.get(path)).status).toBe(403);
  const own = await maria.get("/api/me/export");
  const whole = await (await consultant()).get(`/families/${maria.id}/everything.zip`);
  const [ownData, wholeData] = [own, whole].map((response) => String(zipEntries(response)["data.json"]));
  expect(ownData).toContain("2 entries of the access log about what was refused here");
  expect([ownData?.includes(REFUSED), wholeData?.split(REFUSED).length]).toEqual([false, 3]);
  const others = await (await consultant()).get(`/families/${devon.id}/everything.zip`);
  expect(String(zipEntries(others)["data.json"])).not.toContain(REFUSED);
});
