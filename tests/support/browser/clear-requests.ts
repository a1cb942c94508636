import { expect, type Site } from "./playwright-fixtures.ts";

/** Deletes the open requests of earlier tests on the same site: the dashboard lists five. */
export async function clearRequests(site: Site): Promise<void> {
  const consultant = await site.consultant();
  for (const { id } of (await consultant.get("/api/consultation-requests")).json as { id: number }[])
    expect((await consultant.delete(`/api/consultation-requests/${id}`)).status).toBe(200);
}
