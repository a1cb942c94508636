import { raise } from "./raise.ts";

const LOST = "You are offline. What you typed stays here.";
const NOT_SENT =
  "You are offline. Nothing was sent, and what you typed is still here. Send it again once you are connected.";
const NOT_OPENED = "You are offline. That page opens by itself once you are connected.";
export const NOT_REACHED =
  "We can't reach the site. What you typed is still here. Check your connection, then send it again.";
export const STILL_TRYING = "We can't reach the site. We keep trying, and this goes on by itself.";
export const BACK = "You are connected again.";
const SHOWN_MS = 5000;
const PATIENCE_MS = 10_000;

/** Shows one line of text, or takes it away. */
export type Say = (text: string | null) => void;

/** What stands in `line`, above a modal dialog too, which may be what was being filled in. */
export function showIn(line: HTMLElement): Say {
  return (text) => {
    if (text === null) return line.hidePopover?.();
    line.textContent = text;
    raise(line);
  };
}

/** *Connected again* is soon taken away; everything else stays until something else is true. */
export function forAWhile(say: Say): Say {
  let timer: number | undefined;
  return (text) => {
    clearTimeout(timer);
    say(text);
    if (text === BACK) timer = window.setTimeout(() => say(null), SHOWN_MS);
  };
}

type Options = {
  /** Asks before a form leaves whether the site can be reached: the page it leaves can't be had back. */
  asksFirst?: boolean;
};

/**
 * Says that the connection is lost, and that it is back. Meanwhile no form leaves its page, which would cost what was
 * typed, and a link waits: the last one that was pressed opens when there is a connection again.
 */
export function watchConnection(say: Say, { asksFirst = false }: Options = {}): () => void {
  const stop = new AbortController();
  const on = { signal: stop.signal, capture: true };
  let waiting: HTMLAnchorElement | null = null;
  let isAsking = false;
  let isReached = false;

  function hold(event: Event) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  function submit(event: SubmitEvent) {
    if (!navigator.onLine) {
      hold(event);
      return say(NOT_SENT);
    }
    const form = event.target;
    if (!asksFirst || isReached || !(form instanceof HTMLFormElement) || form.getAttribute("method") !== "post") return;
    hold(event);
    if (!isAsking) void askThenSend(form, event.submitter);
  }
  async function askThenSend(form: HTMLFormElement, submitter: HTMLElement | null) {
    isAsking = true;
    const answers = await siteAnswers();
    isAsking = false;
    if (!answers) return say(NOT_REACHED);
    isReached = true;
    form.requestSubmit(submitter);
    isReached = false;
  }

  window.addEventListener("offline", () => say(LOST), on);
  window.addEventListener(
    "online",
    () => {
      say(BACK);
      waiting?.click();
      waiting = null;
    },
    on,
  );
  window.addEventListener("submit", submit, on);
  window.addEventListener(
    "click",
    (event) => {
      const link = navigator.onLine ? null : linkOf(event);
      if (!link) return;
      waiting = link;
      hold(event);
      say(NOT_OPENED);
    },
    on,
  );
  if (!navigator.onLine) say(LOST);
  return () => stop.abort();
}

/** Whoever only waits long for an answer may send: slow is not lost. */
function siteAnswers(): Promise<boolean> {
  const asked = fetch("/healthz", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
  return asked.then(
    ({ ok }) => ok,
    (error: unknown) => !(error instanceof TypeError),
  );
}

/** The link that a press would follow in this tab, away from this page. */
function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey && event.button === 0;
  if (!link || !isPlain || link.target || link.hasAttribute("download")) return null;
  const { origin, pathname, search } = window.location;
  const isHere = link.pathname === pathname && link.search === search && link.hash !== "";
  return link.origin === origin && !isHere ? link : null;
}
