import { createdResponse, endpoint, endpoints } from "../accounts/doors.server.ts";
import { appointmentJson } from "../booking/appointment-json.ts";
import { accepted } from "../http/outcome.ts";
import { listRequests, makeRequest, removeRequest } from "./requests.server.ts";
import { scheduleRequest } from "./schedule.server.ts";
import { requestShape, schedulingShape } from "./shapes.ts";

const api = endpoints({
  "api/appointments/from-consultation": {
    POST: endpoint({
      access: "admin",
      body: schedulingShape,
      handle: async ({ person, body }) => {
        const made = await scheduleRequest(person, body);
        return made.ok ? createdResponse(appointmentJson(made.value, true)) : made;
      },
    }),
  },
  "api/consultation-requests": {
    GET: endpoint({ access: "admin", handle: async ({ person }) => accepted(await listRequests(person)) }),
    POST: endpoint({
      access: "anyone",
      body: requestShape,
      handle: async ({ person, body, ip: address }) => {
        const made = await makeRequest(person, body, address);
        return made.ok ? createdResponse(made.value) : made;
      },
    }),
  },
  "api/consultation-requests/:id": {
    DELETE: endpoint({
      access: "admin",
      handle: async ({ person, params }) => {
        const done = await removeRequest(person, params.id);
        return done.ok ? accepted({ message: "Consultation Request Deleted" }) : done;
      },
    }),
  },
});

export const loader = api.loader;
export const action = api.action;
