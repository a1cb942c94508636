import { createEndpointHandlers } from "./define-endpoint.server.ts";

// An empty table: anonymous clients get 401, signed-in people 404.
const apiRouteHandlers = createEndpointHandlers({});

export const loader = apiRouteHandlers.loader;
export const action = apiRouteHandlers.action;
