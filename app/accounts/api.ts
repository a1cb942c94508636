import { accepted } from "../http/outcome.ts";
import { parseId } from "../http/fields.ts";
import { jsonResponse } from "../http/json.server.ts";
import { created, door, doors } from "./doors.server.ts";
import { readKnownDevice } from "./known-device.server.ts";
import { changePassword, findUser, openSession, ownAccount, register, signIn } from "./people.server.ts";
import { endSession, KEEP_NOTHING, startSession, visitOf } from "./session.server.ts";
import { passwordChangeShape, registrationShape, signInShape } from "./shapes.ts";
import { refused } from "../http/outcome.ts";

const api = doors({
  "api/auth/me": {
    GET: door({
      who: "anyone",
      run: async ({ person }) =>
        person ? accepted(await ownAccount(person)) : refused("unauthorized", "Unauthorized"),
    }),
  },
  "api/auth/register": {
    POST: door({
      who: "anyone",
      body: registrationShape,
      run: async ({ body, address, context }) => {
        const account = await register(body, address);
        if (!account.ok) return account;
        await startSession(context, account.value);
        return created(account.value);
      },
    }),
  },
  "api/auth/login": {
    POST: door({
      who: "anyone",
      body: signInShape,
      run: async ({ body, address, request, context }) => {
        const device = await readKnownDevice(request.headers.get("cookie"));
        const outcome = await signIn(body, { address, device });
        return outcome.ok ? openSession(context, outcome.value) : outcome;
      },
    }),
  },
  "api/auth/logout": {
    POST: door({
      who: "anyone",
      run: async ({ context }) => {
        await endSession(context);
        return accepted(jsonResponse({ message: "You are signed out." }, 200, KEEP_NOTHING));
      },
    }),
  },
  "api/auth/change-password": {
    POST: door({
      who: "signedIn",
      body: passwordChangeShape,
      run: async ({ person, body, address, context }) => {
        const outcome = await changePassword(person, body, { sid: visitOf(context)?.sid ?? "", address });
        return outcome.ok ? accepted({ message: "Your password has been successfully updated." }) : outcome;
      },
    }),
  },
  "api/users/:id": {
    GET: door({ who: "signedIn", run: ({ person, params }) => findUser(person, parseId(params.id)) }),
  },
});

export const loader = api.loader;
export const action = api.action;
