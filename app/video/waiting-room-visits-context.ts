import { createContext } from "react";

/** Ids of the appointments whose families wait for the consultant now; empty for everybody else. */
export const WaitingRoomVisitsContext = createContext<readonly number[]>([]);
