import type { GatewayConfig } from "./payment-gateway.ts";

/**
 * The types of Square's Web Payments SDK that the app uses: https://developer.squareup.com/reference/sdks/web/payments
 */
export type TokenResult = { status: string; token?: string; errors?: { message?: string; detail?: string }[] };
export type CardForm = {
  attach(container: HTMLElement): Promise<void>;
  tokenize(details: Record<string, unknown>): Promise<TokenResult>;
  destroy(): Promise<boolean>;
};

declare global {
  interface Window {
    Square?: { payments(applicationId: string, locationId: string): { card(): Promise<CardForm> } };
  }
}

const LOAD_TIMEOUT_MS = 15_000;
/** Long enough for a 3-D Secure challenge. Needed because blocked frames never respond. */
const TOKENIZE_TIMEOUT_MS = 120_000;

/**
 * Loads the provider's script and opens its card form in `container`. Rejects when a step fails or takes longer than 15
 * s.
 */
export async function openCardForm(config: GatewayConfig, container: HTMLElement): Promise<CardForm> {
  await withTimeout(LOAD_TIMEOUT_MS, loadScript(config.scriptUrl));
  if (!window.Square) throw new Error("The provider's script brought no card form.");
  const card = await withTimeout(
    LOAD_TIMEOUT_MS,
    window.Square.payments(config.applicationId, config.locationId).card(),
  );
  await withTimeout(LOAD_TIMEOUT_MS, card.attach(container));
  return card;
}

/**
 * Exchanges the entered card for a one-time token, or returns the provider's error message. `isIncomplete` is true when
 * a field is empty or invalid, and nothing was attempted. `amount` is US dollars.
 */
export async function tokenizeCard(
  card: CardForm,
  amount: string,
): Promise<{ token: string } | { failureMessage: string; isIncomplete?: boolean }> {
  const details = {
    amount,
    currencyCode: "USD",
    intent: "CHARGE",
    customerInitiated: true,
    sellerKeyedIn: false,
  };
  try {
    const { status, token, errors } = await withTimeout(
      TOKENIZE_TIMEOUT_MS,
      card.tokenize({ ...details, billingContact: {} }),
    );
    if (status === "OK" && token) return { token };
    const failureMessage = errors?.[0]?.detail ?? errors?.[0]?.message ?? TOKENIZE_FAILED_MESSAGE;
    return { failureMessage, isIncomplete: status === "Invalid" };
  } catch {
    return { failureMessage: TOKENIZE_FAILED_MESSAGE };
  }
}

const TOKENIZE_FAILED_MESSAGE = "Card tokenization failed";

function loadScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.addEventListener("load", () => resolve(), { once: true });
    script.addEventListener("error", () => reject(new Error("The provider's script could not be loaded.")), {
      once: true,
    });
    document.head.append(script);
  });
}

function withTimeout<T>(timeoutMs: number, promise: Promise<T>): Promise<T> {
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error("The provider did not answer.")), timeoutMs);
  });
  return Promise.race([promise, timeout]);
}
