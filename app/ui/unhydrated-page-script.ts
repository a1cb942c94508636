/*
 * The script of static pages. Each behavior enhances an element, found by its data attribute, that also works without
 * it.
 */
import {
  withOnlineMessageAutoHide,
  createShowBannerMessage,
  installOfflineHandling,
} from "./behaviors/offline-handling.ts";
import { enableMenuDismissal } from "./behaviors/menu-dismissal.ts";
import { enablePasswordMatchValidation } from "./behaviors/password-match.ts";
import { enablePasswordToggle } from "./behaviors/password-toggle.ts";
import { enableTooltipDismissal } from "./behaviors/dismiss-tooltip.ts";
import { announceToast, enableToastHotkey, enableToastDismissal } from "./behaviors/toast-dismissal.ts";

import { deleteStoredForms } from "./form-autosave/form-storage.ts";
import { broadcastSignOut } from "./sign-out-channel.ts";

const queryAll = <T extends HTMLElement>(selector: string) => document.querySelectorAll<T>(selector);

function initializeUnhydratedPage() {
  // Makes Back reload the response to a form, instead of asking whether to submit the form again.
  window.history.replaceState(window.history.state, "");
  // Only signed-in people have a menu.
  if (queryAll("[data-menu]").length === 0) {
    broadcastSignOut();
    deleteStoredForms();
  }
  enableTooltipDismissal();
  for (const summary of queryAll("[data-error-summary]")) summary.focus();
  for (const button of queryAll<HTMLButtonElement>("[data-password-toggle]")) enablePasswordToggle(button);
  for (const message of queryAll("[data-password-mismatch]")) enablePasswordMatchValidation(message);
  for (const menu of queryAll<HTMLDetailsElement>("[data-menu]")) enableMenuDismissal(menu);
  for (const panel of queryAll("[data-panel]")) closePanelOnNavigate(panel);
  for (const link of queryAll<HTMLAnchorElement>("a[data-alert]")) enableLinkAlert(link);
  for (const banner of queryAll("[data-connection]"))
    installOfflineHandling(withOnlineMessageAutoHide(createShowBannerMessage(banner)), { pingBeforeSubmit: true });
  for (const form of queryAll<HTMLFormElement>("form[method=post]")) preventDoubleSubmit(form);
  for (const region of queryAll("[data-toasts]")) {
    enableToastHotkey(region);
    for (const toast of region.querySelectorAll<HTMLElement>(".toast")) activateToast(toast);
  }
}

/** Closes the side panel when one of its links leads to a section of this page, because the panel would cover it. */
function closePanelOnNavigate(panel: HTMLElement) {
  panel.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("a")) panel.hidePopover();
  });
}

/** Shows an alert before following a link. Without JavaScript the link's page shows the same text. */
function enableLinkAlert(link: HTMLAnchorElement) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    window.alert(link.dataset.alert);
    window.location.assign(link.dataset.href ?? link.href);
  });
}

/** Ignores further submits while a response is pending. */
function preventDoubleSubmit(form: HTMLFormElement) {
  let isSubmitted = false;
  form.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    if (isSubmitted) return event.preventDefault();
    isSubmitted = true;
    event.submitter?.setAttribute("aria-disabled", "true");
  });
  // The page may be restored from the back/forward cache.
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    isSubmitted = false;
    for (const button of form.querySelectorAll("[aria-disabled]")) button.removeAttribute("aria-disabled");
  });
}

function activateToast(toast: HTMLElement) {
  announceToast(toast);
  enableToastDismissal(toast, () => toast.remove());
}

initializeUnhydratedPage();
