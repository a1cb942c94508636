import { endpoint, endpoints } from "../accounts/api-endpoints.server.ts";
import { ownExportResponse } from "./export.server.ts";

const api = endpoints({
  "api/me/export": {
    GET: endpoint({
      access: "client",
      handle: ({ person, request, context }) => ownExportResponse(person, request, context),
    }),
  },
});

export const loader = api.loader;
export const action = api.action;
