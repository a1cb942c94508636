import { useId } from "react";

/** What the house itself needs, in words; nothing at all while it needs nothing. */
export function SystemWarnings({ warnings }: { warnings: readonly string[] }) {
  const id = useId();
  if (warnings.length === 0) return null;
  return (
    <section className="notice space-y-2" aria-labelledby={id}>
      <h2 id={id} className="text-xl">
        This needs attention
      </h2>
      <ul className="list-disc space-y-1 pl-5">
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </section>
  );
}
