import { createContext } from "react";

/** Appointments whose families are waiting for the consultant now; empty for everyone but the consultant. */
export const WaitingRoomFamiliesContext = createContext<readonly { id: number }[]>([]);
