import { createContext } from "react";

/** Ids of the appointments whose families wait for the consultant now; empty for everybody else. */
export const WaitingVisitsContext = createContext<readonly number[]>([]);
