import { useEffect } from "react";
import { useRevalidator } from "react-router";

/** Reloads the page's data after this many milliseconds, when it is known to change; null disables it. */
export function useRevalidateAfter(milliseconds: number | null): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (milliseconds === null) return;
    const timer = setTimeout(() => void revalidate(), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds, revalidate]);
}
