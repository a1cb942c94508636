import { useEffect } from "react";
import { useRevalidator } from "react-router";

/** Loads the page's data again after so many milliseconds, because it changes by itself then; null: it does not. */
export function useRevalidateAfter(milliseconds: number | null): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (milliseconds === null) return;
    const timer = setTimeout(() => void revalidate(), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds, revalidate]);
}
