import { useSyncExternalStore } from "react";

const noSubscription = () => () => {};

/** Returns false during server rendering and until hydration, then true. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    noSubscription,
    () => true,
    () => false,
  );
}
