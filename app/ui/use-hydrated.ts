import { useSyncExternalStore } from "react";

const noSubscription = () => () => {};

/** False in what the server draws and where no script runs; then true. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    noSubscription,
    () => true,
    () => false,
  );
}
