// Proves that a family is told what is wrong with its card, for each reason that the card provider gives.
import { expect, test } from "vitest";
import { getDeclineMessage } from "../../app/payments/decline-messages.ts";

/** What the provider says; families never see it if they can be told more. */
const DETAIL = "Authorization error: 'CODE'";

test.each([
  ["ADDRESS_VERIFICATION_FAILURE", /^The ZIP code does not match\. Check it/],
  ["AMOUNT_TOO_HIGH", /^The amount is over the card's limit\./],
  ["CARD_DECLINED", /^Your bank didn't say why\. .* call your bank\.$/],
  ["CARD_DECLINED_CALL_ISSUER", /^Your bank wants to hear from you first\./],
  ["CARD_DECLINED_VERIFICATION_REQUIRED", /^Your bank wants to hear from you first\./],
  ["CARD_EXPIRED", /^This card has expired\./],
  ["CARD_NOT_SUPPORTED", /^This kind of card can't be used here\./],
  ["CVV_FAILURE", /^The security code does not match\. Check it/],
  ["EXPIRATION_FAILURE", /^The expiry date does not match\. Check it/],
  ["GENERIC_DECLINE", /^Your bank didn't say why\. .* call your bank\.$/],
  ["INSUFFICIENT_FUNDS", /^There isn't enough money on the card\./],
  ["INVALID_ACCOUNT", /^The card number does not match\. Check it/],
  ["INVALID_CARD", /^The card number does not match\. Check it/],
  ["INVALID_EXPIRATION", /^The expiry date does not match\. Check it/],
  ["PAN_FAILURE", /^The card number does not match\. Check it/],
  ["TRANSACTION_LIMIT", /^The amount is over the card's limit\./],
  ["UNSUPPORTED_CARD_BRAND", /^This kind of card can't be used here\./],
  ["VOICE_FAILURE", /^Your bank wants to hear from you first\./],
])("a card declined with %s was not charged, and the family is told what to do", (code, advice) => {
  const message = getDeclineMessage({ code, detail: DETAIL });
  expect(message).toMatch(/^Your card was not charged\. /);
  expect(message.replace("Your card was not charged. ", "")).toMatch(advice);
  expect(message).toMatch(/another card|your bank|on your card/);
});

test.each([undefined, "", "A_CODE_OF_NEXT_YEAR", "gateway_timeout"])(
  "a card declined with the unknown code %j was not charged, and the family is told what the provider says",
  (code) => {
    expect(getDeclineMessage({ code, detail: DETAIL })).toBe(`Your card was not charged. ${DETAIL}`);
  },
);
