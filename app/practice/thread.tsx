/** The mark of the practice: one thread, one loop. */
export function Mark() {
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
      <rect className="fill-deep dark:fill-pine-soft" width="40" height="40" rx="12" />
      <path className="stroke-thread-on-deep" strokeWidth="3" d="M6 28c8 2 13-1 17-7s4-12-2-12-7 8-1 12 9 8 14 6" />
    </svg>
  );
}

type ThreadProps = {
  className: string;
  viewBox: string;
  path: string;
  /** Its width is that of the page's line, whatever the size of the picture. */
  isEven?: boolean;
  /** Fills its box, whatever the shape of that. */
  isStretched?: boolean;
};

/** One line of the thread. */
export function Thread({ className, viewBox, path, isEven, isStretched }: ThreadProps) {
  return (
    <svg
      className={className}
      viewBox={viewBox}
      preserveAspectRatio={isStretched ? "none" : undefined}
      fill="none"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path className="thread" vectorEffect={isEven ? "non-scaling-stroke" : undefined} d={path} />
    </svg>
  );
}

const KNOT =
  "M240 0c0 29 1 132 0 175c-1 44-3 58-8 84c-4 26-12 51-21 73c-9 21-21 40-33 55c-12 14-25 25-38 31c-13 6-26 7-38 5c-12-2-24-10-33-19c-9-9-17-23-21-37c-5-14-8-31-8-47c0-16 3-33 8-47c4-14 12-28 21-37c9-9 21-17 33-19c12-2 25-1 38 5c13 6 26 17 38 31c12 15 24 34 33 55c9 22 17 47 21 73c5 26 7 40 8 84c1 43 0 146 0 175";
const LOOSE =
  "M0 62c44 4 70-10 92-30s48-20 50 4-30 36-42 18 18-42 52-34 40 40 20 46-24-30 12-44 66 4 62 26-30 18-28 0 22-24 44-18M286 40l16 8M288 32l20-2";

/** A loop of the thread at the beginning of a section. Enters at the top and leaves at the bottom, in the middle. */
export function Knot() {
  return <Thread className="knot" viewBox="0 0 480 640" path={KNOT} isEven />;
}

/** The thread's end, untied: nothing to follow here. */
export function LooseThread() {
  return <Thread className="loose-thread" viewBox="0 0 320 90" path={LOOSE} />;
}

/** From the picture of the first screen to the left margin, where the line goes on down the page; as wide as that. */
export function ThreadTail() {
  const path = "M1000 0C986 46 923 52 735 52S226 40 113 52 0 78 0 100";
  return <Thread className="thread-tail" viewBox="0 0 1000 100" path={path} isEven isStretched />;
}

const LOOP = "c34 6 64 4 82-10s-2-20-10-8 4 24 22 22 24-8 38-4";
const LOOP_WIDTH = 132;

/** How far along one is: a loop for each part, drawn up to the one that is reached. Words beside it say the same. */
export function ThreadProgress({ parts, reached }: { parts: number; reached: number }) {
  const path = `M3 26${LOOP.repeat(parts)}`;
  return (
    <svg
      className="thread-progress"
      viewBox={`0 0 ${parts * LOOP_WIDTH + 6} 36`}
      fill="none"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path className="thread-ahead" d={path} />
      {reached > 0 && <path className="thread" d={`M3 26${LOOP.repeat(reached)}`} />}
    </svg>
  );
}
