/*
 * The script of documents: pages whose HTML is final. Everything here adds comfort to something that already works,
 * and is found by its data attribute, so that a page without that thing costs nothing.
 */
import { forAWhile, showIn, watchConnection } from "./enhance-connection.ts";
import { enableMenu } from "./enhance-menu.ts";
import { enablePasswordToggle } from "./enhance-password.ts";
import { enableTipEscape } from "./enhance-tips.ts";
import { announceToast, enableToastHotkey, runToast, staysWritten } from "./enhance-toast.ts";

import { announceSignedOut } from "./sign-in-channel.ts";

const find = <T extends HTMLElement>(selector: string) => document.querySelectorAll<T>(selector);

function enhance() {
  // Only who is signed in has a menu.
  if (find("[data-menu]").length === 0) announceSignedOut();
  enableTipEscape();
  for (const summary of find("[data-error-summary]")) summary.focus();
  for (const button of find<HTMLButtonElement>("[data-password-toggle]")) enablePasswordToggle(button);
  for (const menu of find<HTMLDetailsElement>("[data-menu]")) enableMenu(menu);
  for (const panel of find("[data-panel]")) closeOnChoice(panel);
  for (const link of find<HTMLAnchorElement>("a[data-alert]")) alertFirst(link);
  for (const line of find("[data-connection]")) watchConnection(forAWhile(showIn(line)), { asksFirst: true });
  for (const form of find<HTMLFormElement>("form[method=post]")) sendOnce(form);
  for (const region of find("[data-toasts]")) {
    enableToastHotkey(region);
    for (const toast of region.querySelectorAll<HTMLElement>(".toast")) showToast(toast);
  }
}

/** A choice in the side panel leads to a place in this page, which the panel would go on covering. */
function closeOnChoice(panel: HTMLElement) {
  panel.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("a")) panel.hidePopover();
  });
}

/** Says something before leaving; the link's own address says it on the page it leads to instead. */
function alertFirst(link: HTMLAnchorElement) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    window.alert(link.dataset.alert);
    window.location.assign(link.dataset.href ?? link.href);
  });
}

/** A second press while the answer is on its way does nothing. */
function sendOnce(form: HTMLFormElement) {
  let sent = false;
  form.addEventListener("submit", (event) => {
    if (sent) return event.preventDefault();
    sent = true;
    event.submitter?.setAttribute("aria-disabled", "true");
  });
  // Back from the next page with everything as it was left.
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    sent = false;
    for (const button of form.querySelectorAll("[aria-disabled]")) button.removeAttribute("aria-disabled");
  });
}

function showToast(toast: HTMLElement) {
  const closed = () => toast.remove();
  announceToast(toast);
  runToast(toast, { closed, expired: staysWritten(toast) ? () => park(toast) : closed });
}

function park(toast: HTMLElement) {
  toast.dataset.parked = "true";
  toast.querySelector("[data-close]")?.addEventListener("click", () => toast.remove());
}

enhance();
