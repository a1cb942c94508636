import type { ReactNode } from "react";

const ILLUSTRATIONS = {
  /** A day in a calendar, connected to a thread. */
  calendar: (
    <>
      <rect x="58" y="26" width="74" height="66" rx="9" />
      <path d="M58 46h74M76 17v17M114 17v17" />
      <path className="stroke-accent" d="M6 98c18 4 32-10 44-8 14 2 6 20-4 14s8-22 28-20c14 1 18-12 31-14" />
      <circle className="fill-accent stroke-accent" cx="107" cy="69" r="4.5" />
    </>
  ),
  /** Sheets of paper that are tied together. */
  document: (
    <>
      <path d="M64 30l50-7 9 66-50 7z" />
      <path d="M58 38h50v66H58z" className="fill-raised" />
      <path d="M68 54h30M68 66h30M68 90h18" />
      <path
        className="stroke-accent"
        d="M8 92c20 6 34-14 50-14h50c14 0 22 8 34 2M80 78c-8-16-24-6-12 0s20 8 12 0c-8-6 8-22 14-10 3 7-7 11-14 10"
      />
    </>
  ),
  /** An open letter. */
  letter: (
    <>
      <path d="M54 50l42-28 42 28v48H54z" />
      <path d="M54 50l42 28 42-28" />
      <path className="stroke-accent" d="M6 96c16 4 26-8 34-20s24-10 18 2-18-2-6-10c18-12 22 14 44 10" />
    </>
  ),
} as const;

type EmptyStateProps = { illustration: keyof typeof ILLUSTRATIONS; title: string; text?: string; action?: ReactNode };

/** Shown instead of an empty list: why it is empty, and what to do next. */
export function EmptyState({ illustration, title, text, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-2 px-2 py-6 text-center">
      <svg
        className="mb-2 h-28 w-40 fill-none stroke-edge stroke-2"
        viewBox="0 0 150 116"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {ILLUSTRATIONS[illustration]}
      </svg>
      <p className="font-display text-xl text-primary">{title}</p>
      {text && <p className="max-w-96 text-balance text-muted">{text}</p>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  );
}
