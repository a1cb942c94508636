import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False in what the server draws and where no script runs; then true. */
export function useIsRunning(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
