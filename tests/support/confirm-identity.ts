import { adminPassword } from "./test-environment.ts";
import type { TestClient } from "./http-client.ts";

const PATH = "/confirm-identity?redirectTo=%2Fchange-email";

/**
 * Gives the password once more in this session for the change of the email address, unless it just was: the consultant's,
 * where the client is no family.
 */
export async function confirmIdentity(client: TestClient & { password?: string }): Promise<void> {
  if ((await client.get(PATH)).status === 302) return;
  const response = await client.form(PATH, { password: client.password ?? adminPassword });
  if (response.status !== 302) throw new Error(`Not confirmed: ${response.status}`);
}
