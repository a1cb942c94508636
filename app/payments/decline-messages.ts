const BANK_DECLINED = "Your bank didn't say why. Try another card, or call your bank.";
const WRONG_NUMBER = "The card number does not match. Check it, or try another card.";
const WRONG_EXPIRY = "The expiry date does not match. Check it, or try another card.";
const WRONG_SECURITY_CODE = "The security code does not match. Check it, or try another card.";
const WRONG_POSTAL_CODE = "The ZIP code does not match. Check it, or try another card.";
const OVER_LIMIT = "The amount is over the card's limit. Try another card.";
const CALL_BANK = "Your bank wants to hear from you first. Call the number on your card, or try another card.";
const CARD_UNSUPPORTED = "This kind of card can't be used here. Try another card.";

/**
 * Messages by Square's error codes for a declined card: https://developer.squareup.com/docs/payments-api/error-codes
 */
const DECLINE_MESSAGES_BY_CODE: Record<string, string> = {
  ADDRESS_VERIFICATION_FAILURE: WRONG_POSTAL_CODE,
  AMOUNT_TOO_HIGH: OVER_LIMIT,
  CARD_DECLINED: BANK_DECLINED,
  CARD_DECLINED_CALL_ISSUER: CALL_BANK,
  CARD_DECLINED_VERIFICATION_REQUIRED: CALL_BANK,
  CARD_EXPIRED: "This card has expired. Try another card.",
  CARD_NOT_SUPPORTED: CARD_UNSUPPORTED,
  CVV_FAILURE: WRONG_SECURITY_CODE,
  EXPIRATION_FAILURE: WRONG_EXPIRY,
  GENERIC_DECLINE: BANK_DECLINED,
  INSUFFICIENT_FUNDS: "There isn't enough money on the card. Try another card.",
  INVALID_ACCOUNT: WRONG_NUMBER,
  INVALID_CARD: WRONG_NUMBER,
  INVALID_EXPIRATION: WRONG_EXPIRY,
  PAN_FAILURE: WRONG_NUMBER,
  TRANSACTION_LIMIT: OVER_LIMIT,
  UNSUPPORTED_CARD_BRAND: CARD_UNSUPPORTED,
  VOICE_FAILURE: CALL_BANK,
};

/** Returns the message for a declined card: what to do next if the code is known, otherwise the provider's detail. */
export function getDeclineMessage({ code = "", detail }: { code?: string; detail: string }): string {
  return `Your card was not charged. ${DECLINE_MESSAGES_BY_CODE[code] ?? detail}`;
}
