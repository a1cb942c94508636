import { created, door, doors } from "../accounts/doors.server.ts";
import { accepted } from "../http/outcome.ts";
import { readFamily } from "./family.ts";
import { findIntakeForm, hasIntakeForm, readBack, submitIntakeForm } from "./intake.server.ts";
import { intakeShape } from "./shape.ts";

const api = doors({
  "api/intake-form/check": {
    GET: door({ who: "signedIn", run: async ({ person }) => accepted(await hasIntakeForm(person)) }),
  },
  "api/intake-forms": {
    GET: door({
      who: "signedIn",
      run: async ({ person, query }) => {
        const family = readFamily(query);
        if (!family.ok) return family;
        const form = await findIntakeForm(person, family.value);
        return form.ok ? accepted(readBack(form.value)) : form;
      },
    }),
    POST: door({
      who: "client",
      body: intakeShape,
      run: async ({ person, body }) => {
        const submitted = await submitIntakeForm(person, body);
        if (!submitted.ok) return submitted;
        const { form, isFirst } = submitted.value;
        return isFirst ? created(readBack(form)) : accepted(readBack(form));
      },
    }),
  },
});

export const loader = api.loader;
export const action = api.action;
