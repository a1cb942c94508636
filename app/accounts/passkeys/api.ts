import { z } from "zod";
import { accepted } from "../../http/outcome.ts";
import { parseId } from "../../http/field-schemas.ts";
import { messageResponseSchema } from "../../http/api-response-schemas.ts";
import { createdOutcome, defineEndpoint, createEndpointHandlers } from "../define-endpoint.server.ts";
import { getReauthenticationSource } from "../sessions/session.server.ts";
import { parseKnownDeviceCookie } from "../known-device.server.ts";
import { accountResponseSchema } from "../api-response-schemas.ts";
import { completePasskeySignIn } from "./complete-passkey-sign-in.server.ts";
import { assertionSchema, newPasskeySchema } from "./passkey-credential-schemas.ts";
import {
  addPasskeyAndRevokeAccess,
  beginAssertion,
  beginNewPasskey,
  listPasskeys,
  removePasskeyAndRevokeAccess,
} from "./passkeys.server.ts";
import {
  addedPasskeyResponseSchema,
  passkeyOptionsResponseSchema,
  passkeyResponseSchema,
} from "./api-response-schemas.ts";
import { verifyPasskeySignIn } from "./verify-passkey.server.ts";

const apiRouteHandlers = createEndpointHandlers({
  "api/auth/passkey-options": {
    POST: defineEndpoint({
      summary: "What a browser needs to ask for a passkey; signed in, for one of your own",
      responses: { 200: passkeyOptionsResponseSchema },
      access: "anyone",
      handle: async ({ context }) => accepted(await beginAssertion(context)),
    }),
  },
  "api/auth/passkey-login": {
    POST: defineEndpoint({
      summary: "Sign in with a passkey",
      responses: { 200: accountResponseSchema },
      refusals: ["unauthorized", "forbidden"],
      access: "anyone",
      body: assertionSchema,
      handle: async ({ body, ip, request, context }) => {
        const cookieHeader = request.headers.get("cookie");
        const source = { ip, device: await parseKnownDeviceCookie(cookieHeader) };
        const verified = await verifyPasskeySignIn(body.credential, cookieHeader, source);
        if (!verified.ok) return verified;
        return completePasskeySignIn(context, verified.value, { cookieHeader, sharedDevice: body.sharedDevice });
      },
    }),
  },
  "api/auth/passkeys": {
    GET: defineEndpoint({
      summary: "Your passkeys",
      responses: { 200: z.array(passkeyResponseSchema) },
      access: "settingUp",
      handle: async ({ person }) => accepted(await listPasskeys(person)),
    }),
    POST: defineEndpoint({
      summary: "Add a passkey that the browser has created",
      responses: { 201: addedPasskeyResponseSchema },
      refusals: ["conflict"],
      access: "settingUp",
      needsRecentAuthentication: true,
      body: newPasskeySchema,
      handle: async ({ body, request, context }) => {
        const outcome = await addPasskeyAndRevokeAccess(context, body, request.headers.get("cookie"));
        return outcome.ok ? createdOutcome(outcome.value) : outcome;
      },
    }),
  },
  "api/auth/passkeys/options": {
    POST: defineEndpoint({
      summary: "What a browser needs to create a passkey",
      responses: { 200: passkeyOptionsResponseSchema },
      refusals: ["conflict"],
      access: "settingUp",
      needsRecentAuthentication: true,
      handle: ({ context }) => beginNewPasskey(context),
    }),
  },
  "api/auth/passkeys/:id": {
    DELETE: defineEndpoint({
      summary: "Remove a passkey",
      responses: { 200: messageResponseSchema },
      refusals: ["notFound"],
      access: "settingUp",
      needsRecentAuthentication: true,
      handle: async ({ person, params, context }) => {
        const { sid } = getReauthenticationSource(context);
        const outcome = await removePasskeyAndRevokeAccess({ person, sid }, parseId(params.id));
        return outcome.ok ? accepted({ message: "The passkey is removed." }) : outcome;
      },
    }),
  },
});

export const loader = apiRouteHandlers.loader;
export const action = apiRouteHandlers.action;
