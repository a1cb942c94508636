/** How long to wait before asking again. */
const PAUSES_MS = [1000, 2000, 4000];
const LONGEST_PAUSE_MS = 5000;
/** What stands between us and the visitor answers so while nothing behind it does. */
const UNREACHED: number[] = [502, 503, 504];
/** The framework's own word for *nothing came of it*: the page stays as it is, with what was typed. */
const NOTHING = '[{"_1":-5},"data"]\n';

type Says = {
  /** A form got no answer, so that nobody knows whether it arrived. */
  unsent: () => void;
  /** A page is asked for again and again. */
  waiting: () => void;
  back: () => void;
};

/**
 * A browser that thinks it is online may be wrong. The framework then puts its error page in the place of the page, and
 * what was typed is gone. Here a page that can't be had is asked for until it comes, or until nobody wants it any more;
 * a form that got no answer leaves its page as it was. Only the framework's own questions (`.data`) are concerned.
 * Returns what ends this.
 */
export function steadyFetch(says: Says): () => void {
  const plain = window.fetch;
  let isLost = false;
  window.fetch = async (input, init) => {
    if (!asksForPage(input)) return plain(input, init);
    const isForm = init?.method !== undefined && init.method !== "GET";
    for (let tries = 0; ; tries += 1) {
      const answer = await plain(input, init).catch(unlessBrokenOff);
      if (answer && !isFromBetween(answer)) {
        if (isLost) says.back();
        isLost = false;
        return answer;
      }
      isLost = true;
      if (isForm) {
        says.unsent();
        return new Response(NOTHING, { status: 400, headers: { "X-Remix-Response": "yes" } });
      }
      says.waiting();
      await pause(PAUSES_MS[tries] ?? LONGEST_PAUSE_MS, init?.signal);
    }
  };
  return () => {
    window.fetch = plain;
  };
}

function asksForPage(input: RequestInfo | URL): boolean {
  const { origin, pathname } = new URL(input instanceof Request ? input.url : input, window.location.href);
  return origin === window.location.origin && pathname.endsWith(".data");
}

/** Whoever broke it off does not want to hear that it was lost. */
function unlessBrokenOff(error: unknown): null {
  if (error instanceof TypeError) return null;
  throw error;
}

function isFromBetween({ status, headers }: Response): boolean {
  return UNREACHED.includes(status) && !headers.has("X-Remix-Response");
}

function pause(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = new AbortController();
    const end = (then: () => void) => () => {
      clearTimeout(timer);
      stop.abort();
      then();
    };
    const timer = setTimeout(end(resolve), milliseconds);
    window.addEventListener("online", end(resolve), { signal: stop.signal });
    signal?.addEventListener(
      "abort",
      end(() => reject(signal.reason as Error)),
      { signal: stop.signal },
    );
  });
}
