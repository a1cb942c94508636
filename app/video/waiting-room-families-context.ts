import { createContext } from "react";

/** The appointments whose families wait for the consultant now; empty for everybody else. */
export const WaitingRoomFamiliesContext = createContext<readonly { id: number }[]>([]);
