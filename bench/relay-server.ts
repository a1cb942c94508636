// The product, as a child of relay.ts: who speaks and what is said is judged as ever, and what is sent is counted
// against an allowance; only its ceiling is lifted, since no call comes near what is measured here.
import { reportMemoryOnMessage } from "./memory-probe.ts";

const { entry } = (await import("../server.ts")) as { entry: typeof import("../app/entry.server.tsx") };
for (const allowance of Object.values(entry.BUDGETS)) Object.assign(allowance, { capacity: 1e9, perSecond: 1e9 });
reportMemoryOnMessage();
process.send?.("ready");
