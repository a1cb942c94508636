import { SquareError } from "square";
import type { Answer, Trouble } from "./gateway.ts";

const MOST_TRIES = 4;
const ONE_TRY_MS = 6_000;
const FIRST_PAUSE_MS = 250;
const UNKNOWN = "The card provider could not answer.";

type Options = { abortSignal: AbortSignal; maxRetries: 0 };

/** Asks Square until it answers for certain, four times at most and never past the deadline; every try has the same key. */
export async function ask<T>(deadline: AbortSignal, question: (options: Options) => Promise<T>): Promise<Answer<T>> {
  for (let tries = 1, pause = FIRST_PAUSE_MS; ; tries++, pause *= 2) {
    const answer = await askOnce(deadline, question);
    if (answer.ok || answer.kind === "declined" || answer.kind === "refused") return answer;
    if (tries === MOST_TRIES || deadline.aborted || !(await passed(pause, deadline))) return answer;
  }
}

/** For questions to which "there is no such thing" is a good answer. */
export async function forgiving<T>(asked: Promise<Answer<T>>): Promise<Answer<T | null>> {
  const answer = await asked;
  return !answer.ok && answer.notFound ? { ok: true, value: null } : answer;
}

async function askOnce<T>(deadline: AbortSignal, question: (options: Options) => Promise<T>): Promise<Answer<T>> {
  const abortSignal = AbortSignal.any([deadline, AbortSignal.timeout(ONE_TRY_MS)]);
  try {
    // The package stops counting once the head of an answer is there; a body may then dribble in for ever.
    const value = await Promise.race([question({ abortSignal, maxRetries: 0 }), rejectedAt(abortSignal)]);
    return { ok: true, value };
  } catch (error) {
    return abortSignal.aborted ? trouble("silent", UNKNOWN) : readTrouble(error);
  }
}

/** Which answers are certain: https://developer.squareup.com/docs/build-basics/general-considerations/handling-errors */
function readTrouble(error: unknown): Trouble {
  if (!(error instanceof SquareError)) return trouble("failed", UNKNOWN);
  const { statusCode = 0, errors } = error;
  const { detail = UNKNOWN, code } = errors[0] ?? {};
  if (statusCode === 401 || statusCode === 403) return trouble("refused", detail);
  if (statusCode === 404) return { ...trouble("declined", detail), notFound: true };
  const isCertain = statusCode >= 400 && statusCode < 500 && statusCode !== 408 && statusCode !== 429;
  return { ...trouble(isCertain ? "declined" : "failed", detail), ...(code && { code }) };
}

function trouble(kind: Trouble["kind"], detail: string): Trouble {
  return { ok: false, kind, detail };
}

function rejectedAt(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
  );
}

/** False when the deadline comes before the pause is over. */
function passed(milliseconds: number, deadline: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => end(true), milliseconds);
    const stop = () => end(false);
    deadline.addEventListener("abort", stop, { once: true });
    function end(isOver: boolean) {
      clearTimeout(timer);
      deadline.removeEventListener("abort", stop);
      resolve(isOver);
    }
  });
}
