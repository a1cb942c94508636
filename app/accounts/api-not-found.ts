import { createEndpointHandlers } from "./define-endpoint.server.ts";

// An empty table: anonymous clients get 401, signed-in people 404.
const endpointHandlers = createEndpointHandlers({});

export const loader = endpointHandlers.loader;
export const action = endpointHandlers.action;
