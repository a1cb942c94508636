/** Draws the practice's logo: one thread with a loop. */
export function Logo() {
  return (
    <svg
      className="brand-mark"
      width="40"
      height="40"
      viewBox="0 0 40 40"
      fill="none"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <rect className="fill-deep dark:fill-primary-soft" width="40" height="40" rx="12" />
      <path className="stroke-accent-on-deep" strokeWidth="3" d="M6 28c8 2 13-1 17-7s4-12-2-12-7 8-1 12 9 8 14 6" />
    </svg>
  );
}

type BrandLineProps = {
  className: string;
  viewBox: string;
  path: string;
  /** Keeps the line as wide as the page's thread, at any size of the image. */
  hasConstantStrokeWidth?: boolean;
  /** Stretches the image to its box. */
  isStretched?: boolean;
};

/** Draws one line of the brand's thread. */
export function DecorativeLine({ className, viewBox, path, hasConstantStrokeWidth, isStretched }: BrandLineProps) {
  return (
    <svg
      className={className}
      viewBox={viewBox}
      preserveAspectRatio={isStretched ? "none" : undefined}
      fill="none"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path className="thread" vectorEffect={hasConstantStrokeWidth ? "non-scaling-stroke" : undefined} d={path} />
    </svg>
  );
}

const LOOSE_THREAD_PATH =
  "M0 62c44 4 70-10 92-30s48-20 50 4-30 36-42 18 18-42 52-34 40 40 20 46-24-30 12-44 66 4 62 26-30 18-28 0 22-24 44-18M286 40l16 8M288 32l20-2";

/** Draws the illustration of the error page. */
export function ErrorPageArt() {
  return <DecorativeLine className="error-illustration" viewBox="0 0 320 90" path={LOOSE_THREAD_PATH} />;
}
