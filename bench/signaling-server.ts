// The product, as a child process of signal-forwarding.ts. Authentication, validation and rate limiting run as usual; only the
// capacity of the rate limits is raised, since no real call sends as much as the measurement.
import { reportMemoryOnMessage } from "./memory-probe.ts";

const { testing } = await import("../server.ts");
for (const limit of Object.values(testing.FRAME_RATE_LIMITS))
  Object.assign(limit, { capacity: 1e9, tokensPerSecond: 1e9 });
reportMemoryOnMessage();
process.send?.("ready");
