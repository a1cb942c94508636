import { browserSupportsWebAuthn, startAuthentication, startRegistration } from "@simplewebauthn/browser";

type CreationOptions = Parameters<typeof startRegistration>[0]["optionsJSON"];
type RequestOptions = Parameters<typeof startAuthentication>[0]["optionsJSON"];

const WAITING_MESSAGE = "Follow the steps that your browser shows.";
const NO_PASSKEY_USED_MESSAGE = "No passkey was used. You can try again.";
const ALREADY_ADDED_MESSAGE = "This device already has a passkey for your account.";
const OFFLINE_MESSAGE = "We can't reach the website right now. Please check your connection and try again.";

/**
 * Enables a form that sends a passkey. The form is hidden until then, because it needs JavaScript and a browser with
 * passkeys, and passkeys do not work at a numeric address. On submit, the browser asks for the passkey and puts its
 * response into the field `credential`; only then is the form sent. Returns a function that disables the form.
 */
export function enablePasskeyForm(form: HTMLFormElement): () => void {
  const field = form.elements.namedItem("credential");
  const status = form.querySelector<HTMLElement>("[role=status]");
  const { optionsPath = "", passkeyForm: purpose } = form.dataset;
  const isNumericHost = /^[\d.]+$|:/.test(window.location.hostname);
  if (!browserSupportsWebAuthn() || isNumericHost || !(field instanceof HTMLInputElement)) return () => {};
  const input = field;
  let isPrompting = false;

  async function promptForPasskey() {
    isPrompting = true;
    showStatus(WAITING_MESSAGE);
    try {
      const options: unknown = await fetchPasskeyOptions(optionsPath);
      const credential =
        purpose === "add"
          ? await startRegistration({ optionsJSON: options as CreationOptions })
          : await startAuthentication({ optionsJSON: options as RequestOptions });
      input.value = JSON.stringify(credential);
      copySharedDeviceCheckbox(form);
      showStatus("");
      form.requestSubmit();
    } catch (error) {
      showStatus(describeFailure(error));
    } finally {
      isPrompting = false;
    }
  }

  function onSubmit(event: SubmitEvent) {
    if (input.value !== "") return;
    // Runs before the listeners that treat this as the page's only submit.
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!isPrompting) void promptForPasskey();
  }

  function showStatus(text: string) {
    if (status) status.textContent = text;
  }

  /** A response can be sent only once, so the browser asks again after the user goes back to this page. */
  function reset() {
    input.value = "";
  }

  form.addEventListener("submit", onSubmit, { capture: true });
  window.addEventListener("pageshow", reset);
  form.hidden = false;
  const fallbackElement = form.parentElement?.querySelector<HTMLElement>("[data-without-passkeys]");
  if (fallbackElement) fallbackElement.hidden = true;
  return () => {
    form.removeEventListener("submit", onSubmit, { capture: true });
    window.removeEventListener("pageshow", reset);
  };
}

/** A failure whose message is shown to the person: a refusal from the server, or a lost connection. */
class PasskeyRequestError extends Error {}

async function fetchPasskeyOptions(path: string): Promise<unknown> {
  const response = await fetch(path, { method: "POST", headers: { Accept: "application/json" } }).catch(() => {
    throw new PasskeyRequestError(OFFLINE_MESSAGE);
  });
  const body = (await response.json().catch(() => ({}))) as { message?: string };
  if (!response.ok) throw new PasskeyRequestError(body.message ?? NO_PASSKEY_USED_MESSAGE);
  return body;
}

function describeFailure(error: unknown): string {
  if (error instanceof PasskeyRequestError) return error.message;
  return error instanceof Error && error.name === "InvalidStateError" ? ALREADY_ADDED_MESSAGE : NO_PASSKEY_USED_MESSAGE;
}

/** Copies the choice *This is not my device* from the page's other form, because it applies to a passkey too. */
function copySharedDeviceCheckbox(form: HTMLFormElement) {
  const sourceCheckbox = document.querySelector<HTMLInputElement>("input[type=checkbox][name=sharedDevice]");
  const targetInput = form.elements.namedItem("sharedDevice");
  if (sourceCheckbox?.form !== form && targetInput instanceof HTMLInputElement)
    targetInput.value = sourceCheckbox?.checked ? "on" : "";
}
