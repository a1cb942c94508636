import type { OutgoingHttpHeaders } from "node:http";
import type { TestClient } from "./http-client.ts";
import { SoftwareAuthenticator } from "./software-authenticator.ts";

/** Adds a passkey of a new device to the account that is signed in. */
export async function addPasskey(client: TestClient, { name = "Mom's phone", countsUses = true } = {}, headers = {}) {
  const device = new SoftwareAuthenticator(client.origin, { countsUses });
  const options = await client.post("/api/auth/passkeys/options", {}, headers);
  if (options.status !== 200) throw new Error(`No passkey can be added: ${options.status} ${options.text}`);
  const credential = device.create(options.json);
  const added = await client.post("/api/auth/passkeys", { name, credential }, headers);
  if (added.status !== 201) throw new Error(`The passkey was not added: ${added.status} ${added.text}`);
  return {
    device,
    id: added.json.passkey.id as number,
    recoveryCodes: added.json.recoveryCodes as string[],
  };
}

/** Asks for a challenge in this browser, and returns what a browser passes on to the device. */
export async function requestOptions(client: TestClient, headers: OutgoingHttpHeaders = {}) {
  return (await client.post("/api/auth/passkey-options", {}, headers)).json as { challenge: string; rpId: string };
}

/** Signs in with a passkey through the API. */
export async function signInWithPasskey(
  client: TestClient,
  device: SoftwareAuthenticator,
  headers: OutgoingHttpHeaders = {},
) {
  const credential = device.get(await requestOptions(client, headers));
  return client.post("/api/auth/passkey-login", { credential }, headers);
}
