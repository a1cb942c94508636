import { hideFromTopLayer, showInTopLayer } from "../top-layer.ts";

const OFFLINE_MESSAGE = "You are offline. What you typed stays here.";
const OFFLINE_SUBMIT_MESSAGE =
  "You are offline. Nothing was sent, and what you typed is still here. Send it again once you are connected.";
const OFFLINE_LINK_MESSAGE = "You are offline. That page will open on its own once you're back online.";
export const UNREACHABLE_MESSAGE =
  "We can't reach the site. What you typed is still here. Check your connection, then send it again.";
export const RETRYING_MESSAGE = "We can't reach the site. We keep trying, and this will continue on its own.";
export const ONLINE_AGAIN_MESSAGE = "You are connected again.";
const AUTO_HIDE_MS = 5000;
const PING_TIMEOUT_MS = 10_000;

/** Shows a text; null hides the banner. */
export type ShowMessage = (text: string | null) => void;

/** Returns a function that shows text in `banner`, also above an open modal dialog. */
export function createShowBannerMessage(banner: HTMLElement): ShowMessage {
  return (text) => {
    if (text === null) return hideFromTopLayer(banner);
    banner.textContent = text;
    showInTopLayer(banner);
  };
}

/** Returns a function that hides *Connected again* after AUTO_HIDE_MS. Other texts stay until the state changes. */
export function withOnlineMessageAutoHide(show: ShowMessage): ShowMessage {
  let timer: number | undefined;
  return (text) => {
    clearTimeout(timer);
    show(text);
    if (text === ONLINE_AGAIN_MESSAGE) timer = window.setTimeout(() => show(null), AUTO_HIDE_MS);
  };
}

type OfflineHandlingOptions = {
  /**
   * Checks whether the site is reachable before a form is submitted, because the page can't be restored after a failed
   * submission.
   */
  pingBeforeSubmit?: boolean;
};

/**
 * Shows when the connection is lost and when it is restored. While it is lost, no form is submitted, because its input
 * would be lost. The last clicked link opens as soon as the connection is restored.
 */
export function installOfflineHandling(
  show: ShowMessage,
  { pingBeforeSubmit = false }: OfflineHandlingOptions = {},
): () => void {
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
      return show(OFFLINE_SUBMIT_MESSAGE);
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
    const isSiteReachable = await checkSiteReachability();
    isPinging = false;
    if (!isSiteReachable) return show(UNREACHABLE_MESSAGE);
    isReachable = true;
    form.requestSubmit(submitter);
    isReachable = false;
  }

  window.addEventListener("offline", () => show(OFFLINE_MESSAGE), listenerOptions);
  window.addEventListener(
    "online",
    () => {
      show(ONLINE_AGAIN_MESSAGE);
      pendingLink?.click();
      pendingLink = null;
    },
    listenerOptions,
  );
  window.addEventListener("submit", onSubmit, listenerOptions);
  window.addEventListener(
    "click",
    (event) => {
      const link = navigator.onLine ? null : findNavigationLink(event);
      if (!link) return;
      pendingLink = link;
      cancelEvent(event);
      show(OFFLINE_LINK_MESSAGE);
    },
    listenerOptions,
  );
  if (!navigator.onLine) show(OFFLINE_MESSAGE);
  return () => controller.abort();
}

/** Checks whether the site is reachable. A slow response counts as reachable. */
function checkSiteReachability(): Promise<boolean> {
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

/** Returns the link that a click would follow in this tab to another page. */
function findNavigationLink(event: MouseEvent): HTMLAnchorElement | null {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const isUnmodifiedClick = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey && event.button === 0;
  if (!link || !isUnmodifiedClick || link.target || link.hasAttribute("download")) return null;
  const { origin, pathname, search } = window.location;
  const isSamePage = link.pathname === pathname && link.search === search && link.hash !== "";
  return link.origin === origin && !isSamePage ? link : null;
}
