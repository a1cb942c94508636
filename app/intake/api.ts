import { z } from "zod";
import { recordRead } from "../audit/record.server.ts";
import { createdOutcome, defineEndpoint, createEndpointHandlers } from "../accounts/define-endpoint.server.ts";
import { accepted } from "../http/outcome.ts";
import { familyIdFromQuery } from "./family-id-from-query.ts";
import { findIntakeForm, hasIntakeForm, toIntakeFormJson, submitIntakeForm } from "./intake.server.ts";
import { familyQuerySchema, intakeFormResponseSchema } from "./api-response-schemas.ts";
import { intakeFormSchema } from "./intake-schemas.ts";

const apiRouteHandlers = createEndpointHandlers({
  "api/intake-form/check": {
    GET: defineEndpoint({
      summary: "Whether you have sent in the intake form",
      responses: { 200: z.boolean() },
      access: "signedIn",
      handle: async ({ person }) => accepted(await hasIntakeForm(person)),
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
        const family = familyIdFromQuery(query);
        if (!family.ok) return family;
        const form = await findIntakeForm(person, family.value);
        if (!form.ok) return form;
        await recordRead({ action: "intake-opened", familyId: form.value.userId, objectId: form.value.id });
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
