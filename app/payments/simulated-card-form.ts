/*
 * The simulator's card form: implements the functions of Square's SDK that the payment page uses. The card number is
 * exchanged for a token in the browser and never sent.
 */
import type { CardForm, TokenResult } from "./card-form.ts";
import { findSimulatedCard, SIMULATED_CARDS } from "./simulated-cards.ts";

const CARD_FIELDS = [
  { id: "simulated-number", label: "Card number", mode: "numeric", missing: "Enter a card number." },
  { id: "simulated-expiry", label: "Expiration date (MM/YY)", mode: "numeric", missing: "Enter the expiration date." },
  { id: "simulated-code", label: "Security code", mode: "numeric", missing: "Enter the security code." },
] as const;

function createSimulatedCardForm(): CardForm {
  const root = document.createElement("div");
  root.className = "grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] items-end gap-x-4 gap-y-2";
  const cardInputs = CARD_FIELDS.map(({ id, label, mode }) => {
    const field = document.createElement("div");
    field.className = id === "simulated-number" ? "field col-span-full" : "field";
    const labelElement = document.createElement("label");
    labelElement.className = "label";
    labelElement.htmlFor = id;
    labelElement.textContent = label;
    // The input has no name, so that the form never submits it.
    const input = document.createElement("input");
    input.id = id;
    input.className = "input";
    input.inputMode = mode;
    input.autocomplete = "off";
    if (id === "simulated-expiry") input.addEventListener("input", () => insertExpirySlash(input));
    field.append(labelElement, input);
    root.append(field);
    return input;
  });
  root.append(createCardListNote());
  return {
    async attach(container) {
      container.replaceChildren(root);
    },
    async tokenize(): Promise<TokenResult> {
      const emptyIndex = cardInputs.findIndex(({ value }) => value.trim() === "");
      cardInputs.forEach((input, index) => setFieldInvalid(input, index === emptyIndex));
      if (emptyIndex >= 0) return invalidToken(CARD_FIELDS[emptyIndex]?.missing ?? "");
      const card = findSimulatedCard(cardInputs[0]?.value ?? "");
      return card ? { status: "OK", token: card.token } : invalidToken("That is none of the simulator's cards.");
    },
    async destroy() {
      root.remove();
      return true;
    },
  };
}

function setFieldInvalid(input: HTMLInputElement, isInvalid: boolean) {
  input.ariaInvalid = String(isInvalid);
  input.parentElement?.classList.toggle("field-invalid", isInvalid);
}

/** Inserts the slash, because a phone's numeric keypad has none. */
function insertExpirySlash(input: HTMLInputElement) {
  const [, month, year] = /^(\d{2})(\d{1,2})$/.exec(input.value) ?? [];
  if (month) input.value = `${month}/${year}`;
}

function createCardListNote(): HTMLElement {
  const details = document.createElement("details");
  details.className = "notice col-span-full";
  const summary = document.createElement("summary");
  summary.textContent = "No real card is charged here. The cards to try:";
  const list = document.createElement("ul");
  for (const { number, description: about } of SIMULATED_CARDS) {
    const item = document.createElement("li");
    item.textContent = `${number} ${about}`;
    list.append(item);
  }
  details.append(summary, list, "Any date and code will do.");
  return details;
}

function invalidToken(message: string): TokenResult {
  return { status: "Invalid", errors: [{ message }] };
}

window.Square = { payments: () => ({ card: async () => createSimulatedCardForm() }) };
