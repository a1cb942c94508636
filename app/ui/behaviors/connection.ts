import { showInTopLayer } from "../top-layer.ts";

const OFFLINE = "You are offline. What you typed stays here.";
const NOT_SENT =
  "You are offline. Nothing was sent, and what you typed is still here. Send it again once you are connected.";
const NOT_OPENED = "You are offline. That page opens by itself once you are connected.";
export const UNREACHABLE =
  "We can't reach the site. What you typed is still here. Check your connection, then send it again.";
export const RETRYING = "We can't reach the site. We keep trying, and this goes on by itself.";
export const ONLINE_AGAIN = "You are connected again.";
const AUTO_HIDE_MS = 5000;
const PING_TIMEOUT_MS = 10_000;

/** Shows one line of text, or takes it away. */
export type ShowMessage = (text: string | null) => void;

/** What stands in `line`, above a modal dialog too, which may be what was being filled in. */
export function bannerFor(banner: HTMLElement): ShowMessage {
  return (text) => {
    if (text === null) return banner.hidePopover?.();
    banner.textContent = text;
    showInTopLayer(banner);
  };
}

/** *Connected again* is soon taken away; everything else stays until something else is true. */
export function autoHide(show: ShowMessage): ShowMessage {
  let timer: number | undefined;
  return (text) => {
    clearTimeout(timer);
    show(text);
    if (text === ONLINE_AGAIN) timer = window.setTimeout(() => show(null), AUTO_HIDE_MS);
  };
}

type Options = {
  /** Asks before a form leaves whether the site can be reached: the page it leaves can't be had back. */
  pingBeforeSubmit?: boolean;
};

/**
 * Says that the connection is lost, and that it is back. Meanwhile no form leaves its page, which would cost what was
 * typed, and a link waits: the last one that was pressed opens when there is a connection again.
 */
export function watchConnection(show: ShowMessage, { pingBeforeSubmit = false }: Options = {}): () => void {
  const controller = new AbortController();
  const listenerOptions = { signal: controller.signal, capture: true };
  let pendingLink: HTMLAnchorElement | null = null;
  let isPinging = false;
  let isReachable = false;

  function cancelEvent(event: Event) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  function onSubmit(event: SubmitEvent) {
    if (!navigator.onLine) {
      cancelEvent(event);
      return show(NOT_SENT);
    }
    const form = event.target;
    if (
      !pingBeforeSubmit ||
      isReachable ||
      !(form instanceof HTMLFormElement) ||
      form.getAttribute("method") !== "post"
    )
      return;
    cancelEvent(event);
    if (!isPinging) void pingThenSubmit(form, event.submitter);
  }
  async function pingThenSubmit(form: HTMLFormElement, submitter: HTMLElement | null) {
    isPinging = true;
    const isUp = await pingSite();
    isPinging = false;
    if (!isUp) return show(UNREACHABLE);
    isReachable = true;
    form.requestSubmit(submitter);
    isReachable = false;
  }

  window.addEventListener("offline", () => show(OFFLINE), listenerOptions);
  window.addEventListener(
    "online",
    () => {
      show(ONLINE_AGAIN);
      pendingLink?.click();
      pendingLink = null;
    },
    listenerOptions,
  );
  window.addEventListener("submit", onSubmit, listenerOptions);
  window.addEventListener(
    "click",
    (event) => {
      const link = navigator.onLine ? null : clickedLink(event);
      if (!link) return;
      pendingLink = link;
      cancelEvent(event);
      show(NOT_OPENED);
    },
    listenerOptions,
  );
  if (!navigator.onLine) show(OFFLINE);
  return () => controller.abort();
}

/** Whoever only waits long for an answer may send: slow is not lost. */
function pingSite(): Promise<boolean> {
  const response = fetch("/healthz", {
    method: "HEAD",
    cache: "no-store",
    signal: AbortSignal.timeout(PING_TIMEOUT_MS),
  });
  return response.then(
    ({ ok }) => ok,
    (error: unknown) => !(error instanceof TypeError),
  );
}

/** The link that a press would follow in this tab, away from this page. */
function clickedLink(event: MouseEvent): HTMLAnchorElement | null {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const isUnmodifiedClick = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey && event.button === 0;
  if (!link || !isUnmodifiedClick || link.target || link.hasAttribute("download")) return null;
  const { origin, pathname, search } = window.location;
  const isSamePage = link.pathname === pathname && link.search === search && link.hash !== "";
  return link.origin === origin && !isSamePage ? link : null;
}
