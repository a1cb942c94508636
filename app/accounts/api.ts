import { notSignedInRefusal } from "./authorization.server.ts";
import { z } from "zod";
import { accepted, HTTP_STATUS } from "../http/outcome.ts";
import { parseId } from "../http/field-schemas.ts";
import { jsonResponse } from "../http/json.server.ts";
import { messageResponseSchema } from "../http/api-response-schemas.ts";
import {
  accessLogEntryResponseSchema,
  accountResponseSchema,
  deviceResponseSchema,
  recoveryCodesResponseSchema,
  secondFactorSetupResponseSchema,
  signInRefusedResponseSchema,
  signInResponseSchema,
  userResponseSchema,
} from "./api-response-schemas.ts";
import { createdOutcome, defineEndpoint, createEndpointHandlers } from "./define-endpoint.server.ts";
import { listOwnAccessLogEntries } from "./access-log/family-access-log.server.ts";
import { redeemConfirmationLink } from "./email/confirm-email.server.ts";
import { getPersonPendingErasure } from "./guards.server.ts";
import { getLinkSource } from "./links/rate-limited-link-lookup.server.ts";
import { parseKnownDeviceCookie } from "./known-device.server.ts";
import { requestResetLink } from "./passwords/request-reset-link.server.ts";
import { resetPassword } from "./passwords/password-reset.server.ts";
import { CODE_REQUIRED_MESSAGE, completeSignIn, verifySignIn } from "./sign-in/sign-in.server.ts";
import { changeOwnPassword } from "./passwords/change-password.server.ts";
import { authorizeDeviceSignOut } from "./step-up/authorize-device-sign-out.server.ts";
import { stepUpRefusal } from "./step-up/recent-authentication.server.ts";
import { registerFamilyAccount } from "./registration.server.ts";
import { findOwnAccount, findUserWithAudit } from "./account.server.ts";
import { signOutDevice, listSignedInDevices } from "./sessions/signed-in-devices.server.ts";
import {
  endSession,
  CLEAR_CACHE_HEADERS,
  refreshKnownDeviceCookie,
  startSession,
  getReauthenticationSource,
  getPossiblyRestrictedSession,
} from "./sessions/session.server.ts";
import {
  secondFactorCodeSchema,
  emailFieldsSchema,
  currentPasswordSchema,
  removeSecondFactorSchema,
  passwordChangeSchema,
  registrationApiSchema,
  resetPasswordSchema,
  signInApiSchema,
  linkTokenSchema,
} from "./account-schemas.ts";
import {
  beginSecondFactorSetup,
  activateSecondFactor,
  deactivateSecondFactor,
} from "./second-factor/second-factor.server.ts";

const apiRouteHandlers = createEndpointHandlers({
  "api/auth/me": {
    GET: defineEndpoint({
      summary: "The account that is signed in",
      responses: { 200: accountResponseSchema },
      refusals: ["unauthorized"],
      access: "anyone",
      handle: async ({ person }) => (person ? accepted(await findOwnAccount(person)) : notSignedInRefusal()),
    }),
  },
  "api/auth/register": {
    POST: defineEndpoint({
      summary: "Make a family's account and sign in",
      responses: { 201: accountResponseSchema },
      refusals: ["conflict"],
      access: "anyone",
      body: registrationApiSchema,
      handle: async ({ body, ip, context }) => {
        const account = await registerFamilyAccount(body, ip);
        if (!account.ok) return account;
        await startSession(context, account.value, { isFirst: true });
        return createdOutcome(account.value);
      },
    }),
  },
  "api/auth/login": {
    POST: defineEndpoint({
      summary: "Sign in",
      responses: { 200: signInResponseSchema, 401: signInRefusedResponseSchema },
      refusals: ["forbidden"],
      access: "anyone",
      body: signInApiSchema,
      handle: async ({ body, ip, request, context }) => {
        const device = await parseKnownDeviceCookie(request.headers.get("cookie"));
        const outcome = await verifySignIn(body, { ip, device });
        if (outcome.ok && outcome.value.needsCode)
          return accepted(
            jsonResponse({ message: CODE_REQUIRED_MESSAGE, secondFactor: true }, HTTP_STATUS.unauthorized),
          );
        const signedIn = outcome.ok ? await completeSignIn(context, outcome.value, body) : outcome;
        const pending = getPersonPendingErasure(context);
        return signedIn.ok && pending ? accepted({ ...signedIn.value, eraseAfter: pending.eraseAfter }) : signedIn;
      },
    }),
  },
  "api/auth/logout": {
    POST: defineEndpoint({
      summary: "Sign out",
      responses: { 200: messageResponseSchema },
      access: "anyone",
      handle: async ({ context }) => {
        await endSession(context);
        return accepted(jsonResponse({ message: "You are signed out." }, 200, CLEAR_CACHE_HEADERS));
      },
    }),
  },
  "api/auth/change-password": {
    POST: defineEndpoint({
      summary: "Change your password, which signs out every other device",
      responses: { 200: messageResponseSchema },
      access: "signedIn",
      body: passwordChangeSchema,
      handle: async ({ person, body, context }) => {
        const outcome = await changeOwnPassword(person, body, getReauthenticationSource(context));
        if (outcome.ok) await refreshKnownDeviceCookie(context);
        return outcome.ok ? accepted({ message: "Your password has been successfully updated." }) : outcome;
      },
    }),
  },
  "api/auth/second-factor": {
    POST: defineEndpoint({
      summary: "Begin to set up codes at sign-in",
      responses: { 201: secondFactorSetupResponseSchema },
      refusals: ["conflict"],
      access: "settingUp",
      body: currentPasswordSchema,
      handle: async ({ person, body, context }) => {
        const outcome = await beginSecondFactorSetup(person, body.password, getReauthenticationSource(context));
        return outcome.ok ? createdOutcome(outcome.value) : outcome;
      },
    }),
    DELETE: defineEndpoint({
      summary: "Turn codes at sign-in off",
      responses: { 200: messageResponseSchema },
      refusals: ["notFound"],
      access: "signedIn",
      body: removeSecondFactorSchema,
      handle: async ({ person, body, context }) => {
        const outcome = await deactivateSecondFactor(person, body, getReauthenticationSource(context));
        return outcome.ok ? accepted({ message: "The second step is off." }) : outcome;
      },
    }),
  },
  "api/auth/second-factor/confirm": {
    POST: defineEndpoint({
      summary: "Turn codes at sign-in on, with a first code",
      responses: { 200: recoveryCodesResponseSchema },
      refusals: ["conflict"],
      access: "settingUp",
      body: secondFactorCodeSchema,
      handle: ({ person, body, context }) =>
        activateSecondFactor(person, body.code, getReauthenticationSource(context)),
    }),
  },
  "api/auth/sessions": {
    GET: defineEndpoint({
      summary: "The devices on which you are signed in",
      responses: { 200: z.array(deviceResponseSchema) },
      access: "signedIn",
      handle: async ({ person, context }) =>
        accepted(await listSignedInDevices(person, getPossiblyRestrictedSession(context)?.sid ?? "")),
    }),
  },
  "api/auth/sessions/:id": {
    DELETE: defineEndpoint({
      summary:
        "Sign out one of your devices; another one than this within ten minutes after the sign-in, later ones twice, else 403",
      responses: { 200: messageResponseSchema },
      refusals: ["forbidden"],
      access: "signedIn",
      handle: async ({ person, params, context }) => {
        const id = parseId(params.id);
        if (!(await authorizeDeviceSignOut(context, id))) return stepUpRefusal;
        const outcome = await signOutDevice(person, id);
        return outcome.ok ? accepted({ message: "The device is signed out." }) : outcome;
      },
    }),
  },
  "api/auth/forgot-password": {
    POST: defineEndpoint({
      summary: "Send a link to choose a new password; the answer is the same for every address",
      responses: { 202: messageResponseSchema },
      access: "anyone",
      body: emailFieldsSchema,
      handle: async ({ body, ip }) => {
        const outcome = await requestResetLink(body.email, ip);
        return outcome.ok ? accepted(jsonResponse(outcome.value, 202)) : outcome;
      },
    }),
  },
  "api/auth/reset-password": {
    POST: defineEndpoint({
      summary: "Choose a new password with the token of a link",
      responses: { 200: messageResponseSchema },
      refusals: ["gone"],
      access: "anyone",
      body: resetPasswordSchema,
      handle: async ({ body, ip }) => {
        const outcome = await resetPassword(body.token, body.newPassword, ip);
        return outcome.ok ? accepted({ message: "Your password has been successfully updated." }) : outcome;
      },
    }),
  },
  "api/auth/confirm-email": {
    POST: defineEndpoint({
      summary:
        "Confirm an email address with the token of a link; another address than the account has, in its own session only",
      responses: { 200: messageResponseSchema },
      refusals: ["gone", "conflict", "unauthorized"],
      access: "anyone",
      body: linkTokenSchema,
      handle: async ({ person, body, context }) => {
        const outcome = await redeemConfirmationLink(body.token, { ...getLinkSource(context), person });
        if (outcome.ok && outcome.value.isChange) await refreshKnownDeviceCookie(context);
        return outcome.ok ? accepted({ message: "Thank you. Your address is confirmed." }) : outcome;
      },
    }),
  },
  "api/me/access-log": {
    GET: defineEndpoint({
      summary: "Who opened, changed or copied your family's data: the latest 1,000 entries, newest first",
      responses: { 200: z.array(accessLogEntryResponseSchema) },
      access: "client",
      handle: ({ person }) => listOwnAccessLogEntries(person),
    }),
  },
  "api/users/:id": {
    GET: defineEndpoint({
      summary: "A user; a family its own account alone",
      responses: { 200: userResponseSchema },
      access: "signedIn",
      handle: ({ person, params }) => findUserWithAudit(person, parseId(params.id)),
    }),
  },
});

export const loader = apiRouteHandlers.loader;
export const action = apiRouteHandlers.action;
