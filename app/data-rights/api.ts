import { defineEndpoint, createEndpointHandlers } from "../accounts/define-endpoint.server.ts";
import { findOwnAccount } from "../accounts/account.server.ts";
import { accountResponseSchema } from "../accounts/api-response-schemas.ts";
import { passwordAndCodeSchema } from "../accounts/account-schemas.ts";
import { CLEAR_CACHE_HEADERS, endSession, getReauthenticationSource } from "../accounts/sessions/session.server.ts";
import { env } from "../env.server.ts";
import { jsonResponse } from "../http/json.server.ts";
import { accepted } from "../http/outcome.ts";
import { erasureResponseSchema } from "./api-response-schemas.ts";
import { ownExportResponse } from "./family-data-export.server.ts";
import { cancelOwnErasure, requestOwnErasure } from "./request-own-erasure.server.ts";

const apiRouteHandlers = createEndpointHandlers({
  "api/me": {
    DELETE: defineEndpoint({
      summary: "Ask for the deletion of your family's account and of everything about it",
      responses: { 202: erasureResponseSchema },
      refusals: ["conflict"],
      access: "client",
      body: passwordAndCodeSchema,
      handle: async ({ person, body, context }) => {
        const requested = await requestOwnErasure(person, body, getReauthenticationSource(context));
        if (!requested.ok) return requested;
        await endSession(context);
        const { eraseAfter } = requested.value;
        const message =
          env.erasureGraceDays === 0
            ? "Your account is deleted within minutes."
            : "Your account will be deleted. Sign in before then if you want to keep it.";
        return accepted(jsonResponse({ message, eraseAfter }, 202, CLEAR_CACHE_HEADERS));
      },
    }),
  },
  "api/me/keep": {
    POST: defineEndpoint({
      summary: "Keep an account that is to be deleted",
      responses: { 200: accountResponseSchema },
      refusals: ["conflict"],
      access: "pendingErasure",
      handle: async ({ person }) => {
        const result = await cancelOwnErasure(person);
        return result.ok ? accepted(await findOwnAccount(person)) : result;
      },
    }),
  },
  "api/me/export": {
    GET: defineEndpoint({
      summary: "Everything that is held about your family, as a ZIP archive",
      responses: { 200: { contentType: "application/zip" } },
      refusals: ["tooMany"],
      access: "client",
      needsRecentAuthentication: true,
      handle: ({ person, request, context }) => ownExportResponse(person, request, context),
    }),
  },
});

export const loader = apiRouteHandlers.loader;
export const action = apiRouteHandlers.action;
