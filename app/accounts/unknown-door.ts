import { doors } from "./doors.server.ts";

// No door stands here: a visitor hears 401, a signed-in person 404.
const api = doors({});

export const loader = api.loader;
export const action = api.action;
