import { z } from "zod";
import { recordAuditRead } from "../audit/record-audit.server.ts";
import { createdOutcome, defineEndpoint, createEndpointHandlers } from "../accounts/define-endpoint.server.ts";
import { accepted } from "../http/outcome.ts";
import { readFamilyIdParameter } from "./family-id-from-query.ts";
import { findIntakeForm, hasSubmittedIntakeForm, toIntakeFormJson, submitIntakeForm } from "./intake-forms.server.ts";
import { familyQuerySchema, intakeFormResponseSchema } from "./api-response-schemas.ts";
import { intakeFormSchema } from "./intake-schemas.ts";

const apiRouteHandlers = createEndpointHandlers({
  "api/intake-form/check": {
    GET: defineEndpoint({
      summary: "Whether you have sent in the intake form",
      responses: { 200: z.boolean() },
      access: "signedIn",
      handle: async ({ person }) => accepted(await hasSubmittedIntakeForm(person)),
    }),
  },
  "api/intake-forms": {
    GET: defineEndpoint({
      summary: "The intake form of your family, or of the family that the administrator names",
      query: familyQuerySchema,
      responses: { 200: intakeFormResponseSchema },
      refusals: ["notFound"],
      access: "signedIn",
      handle: async ({ person, query }) => {
        const family = readFamilyIdParameter(query);
        if (!family.ok) return family;
        const form = await findIntakeForm(person, family.value);
        if (!form.ok) return form;
        await recordAuditRead({ action: "intake-opened", familyId: form.value.userId, objectId: form.value.id });
        return accepted(toIntakeFormJson(form.value));
      },
    }),
    POST: defineEndpoint({
      summary: "Send in the whole intake form; 201 the first time, 200 when it replaces an earlier one",
      responses: { 200: intakeFormResponseSchema, 201: intakeFormResponseSchema },
      refusals: ["conflict"],
      access: "client",
      body: intakeFormSchema,
      handle: async ({ person, body }) => {
        const result = await submitIntakeForm(person, body);
        if (!result.ok) return result;
        const { form, isFirst } = result.value;
        return isFirst ? createdOutcome(toIntakeFormJson(form)) : accepted(toIntakeFormJson(form));
      },
    }),
  },
});

export const loader = apiRouteHandlers.loader;
export const action = apiRouteHandlers.action;
