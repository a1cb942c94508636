import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";

export type SimulatedPayment = {
  id: string;
  key: string;
  status: "approved" | "captured" | "closed";
  amountCents: number;
  refundedCents: number;
};
export type SimulatedCheckout = {
  id: string;
  key: string;
  orderId: string;
  amountCents: number;
  returnTo: string;
  isClosed: boolean;
};
export type SimulatedRefund = { id: string; key: string; paymentId: string; amountCents: number };

type SimulatorState = {
  payments: Record<string, SimulatedPayment>;
  checkouts: Record<string, SimulatedCheckout>;
  refunds: Record<string, SimulatedRefund>;
};

/** Loads the simulator's state from simulator.json in `dataDir`, so that it survives a restart. */
export function openSimulatorState(dataDir: string) {
  const file = path.join(dataDir, "simulator.json");
  mkdirSync(dataDir, { recursive: true });
  const state = loadState(file);
  return {
    ...state,
    /**
     * Writes a new file and renames it: after a crash the file contains the old or the new state, never a part of it.
     */
    save() {
      writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
  };
}

function loadState(file: string): SimulatorState {
  try {
    const { payments, checkouts, refunds } = JSON.parse(readFileSync(file, "utf8")) as SimulatorState;
    return {
      payments: withoutPrototype(payments),
      checkouts: withoutPrototype(checkouts),
      refunds: withoutPrototype(refunds),
    };
  } catch {
    return { payments: withoutPrototype({}), checkouts: withoutPrototype({}), refunds: withoutPrototype({}) };
  }
}

/** Creates a record without a prototype, so that an id such as "constructor" finds nothing. */
function withoutPrototype<Entry>(entries: Record<string, Entry>): Record<string, Entry> {
  return Object.assign(Object.create(null) as Record<string, Entry>, entries);
}
