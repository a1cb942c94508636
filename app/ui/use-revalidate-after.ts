import { useEffect } from "react";
import { useRevalidator } from "react-router";

/** Reloads the page's data after this many milliseconds, when it is known to change; null disables it. */
export function useRevalidateAfter(delayMs: number | null): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (delayMs === null) return;
    const timer = setTimeout(() => void revalidate(), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs, revalidate]);
}
