import { createEndpointHandlers } from "./define-endpoint.server.ts";

// An empty table: anonymous clients get 401, signed-in people 404.
const api = createEndpointHandlers({});

export const loader = api.loader;
export const action = api.action;
