import { created, door, doors } from "../accounts/doors.server.ts";
import { appointmentJson } from "../booking/appointment-json.ts";
import { accepted } from "../http/outcome.ts";
import { listRequests, makeRequest, removeRequest } from "./requests.server.ts";
import { scheduleRequest } from "./schedule.server.ts";
import { requestShape, schedulingShape } from "./shapes.ts";

const api = doors({
  "api/appointments/from-consultation": {
    POST: door({
      who: "admin",
      body: schedulingShape,
      run: async ({ person, body }) => {
        const made = await scheduleRequest(person, body);
        return made.ok ? created(appointmentJson(made.value, true)) : made;
      },
    }),
  },
  "api/consultation-requests": {
    GET: door({ who: "admin", run: async ({ person }) => accepted(await listRequests(person)) }),
    POST: door({
      who: "anyone",
      body: requestShape,
      run: async ({ person, body, address }) => {
        const made = await makeRequest(person, body, address);
        return made.ok ? created(made.value) : made;
      },
    }),
  },
  "api/consultation-requests/:id": {
    DELETE: door({
      who: "admin",
      run: async ({ person, params }) => {
        const done = await removeRequest(person, params.id);
        return done.ok ? accepted({ message: "Consultation Request Deleted" }) : done;
      },
    }),
  },
});

export const loader = api.loader;
export const action = api.action;
