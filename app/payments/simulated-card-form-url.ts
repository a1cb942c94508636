import address from "./simulated-card-form.ts?worker&url";

/** Where the simulator's card form lies: a script of our own, loaded like the provider's. */
export const simulatedCardFormUrl = address;
