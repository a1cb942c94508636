import { endpoints } from "./api-endpoints.server.ts";

// No door stands here: a visitor hears 401, a signed-in person 404.
const api = endpoints({});

export const loader = api.loader;
export const action = api.action;
