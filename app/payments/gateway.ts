/** What the paying page may know of the provider; no secret is among it. */
export type GatewayConfig = {
  environment: "production" | "sandbox";
  applicationId: string;
  locationId: string;
  /** The provider's card form; loaded by the paying page alone. */
  scriptUrl: string;
};

/**
 * `declined`: the provider said no, so certainly nothing was done. `refused`: it does not accept us (keys, rights);
 * nothing was done either. `failed`: it broke off or answered with an error; `silent`: it did not answer in time.
 * After those two nobody knows what was done: ask again with the same key, or look.
 */
export type GatewayError = {
  ok: false;
  kind: "declined" | "refused" | "failed" | "silent";
  detail: string;
  /** The provider's own name for what was wrong. */
  code?: string;
  notFound?: true;
};
export type GatewayResult<T> = { ok: true; value: T } | GatewayError;

/** `approved`: reserved on the card, no money moved. `captured`: charged. `closed`: nothing is or will be charged. */
export type ProviderPayment = {
  id: string;
  status: "approved" | "captured" | "closed" | "pending";
  /** The whole amount, a tip included; NaN where the provider names none. */
  amountCents: number;
  tipCents: number;
  /** What of it went back already. */
  refundedCents: number;
  /** ISO 4217; empty where the provider names none. */
  currency: string;
  /** What the provider knows it by: our key, the order it pays, the place it was taken at. */
  reference?: string;
  orderId?: string;
  locationId?: string;
};

/** What is paid on the provider's own page: the order, and every payment made for it. */
export type CheckoutOrder = {
  id: string;
  reference?: string;
  locationId?: string;
  amountCents?: number;
  currency?: string;
  payments: ProviderPayment[];
};

/** `accepted`: on its way. Money goes back to the card it came from. */
export type ProviderRefund = {
  id: string;
  status: "accepted" | "done" | "failed";
  amountCents: number;
  /** The payment it belongs to, where the provider says so. */
  paymentId?: string;
};

/** The provider's own page for one payment. */
export type HostedCheckout = { id: string; url: string; orderId: string };

/** What an event is about. It is a reason to look, never a proof: what counts is what the provider answers then. */
export type WebhookEvent = { paymentId?: string; reference?: string; orderId?: string; refundId?: string };

/**
 * The card provider, as the practice needs it; nothing here knows of appointments. Amounts are US cents. `key` is our
 * own: the same key asked twice is done once, and it is the provider's reference of the payment. `deadline` bounds
 * everything, repeats included (decisions §5.7). Nothing throws for what a provider may do wrong.
 */
export type Gateway = {
  name: "square" | "simulator";
  config: GatewayConfig;
  /** Reserves the amount on the card behind `sourceId`, a token of the card form. Moves no money. */
  authorize(
    order: { key: string; sourceId: string; amountCents: number },
    deadline: AbortSignal,
  ): Promise<GatewayResult<ProviderPayment>>;
  /** Charges what was reserved. `declined` when it can't be any more: look what became of it. */
  capture(paymentId: string, deadline: AbortSignal): Promise<GatewayResult<ProviderPayment>>;
  /** Gives up what was reserved. `declined` when there is nothing to give up any more: look what became of it. */
  cancel(paymentId: string, deadline: AbortSignal): Promise<GatewayResult<ProviderPayment>>;
  /** The same where the answer never came, so that only our key is known; also when it never arrived there. */
  cancelByKey(key: string, deadline: AbortSignal): Promise<GatewayResult<null>>;
  find(paymentId: string, deadline: AbortSignal): Promise<GatewayResult<ProviderPayment | null>>;
  /** The payment made with our key around the instant `since` (UTC), or null when there is none. */
  findByKey(key: string, since: Date, deadline: AbortSignal): Promise<GatewayResult<ProviderPayment | null>>;
  /** Sends money back, in US dollars unless `currency` says otherwise; one key is one refund. `declined` when the provider never will. */
  refund(
    order: { key: string; paymentId: string; amountCents: number; currency?: string },
    deadline: AbortSignal,
  ): Promise<GatewayResult<ProviderRefund>>;
  findRefund(refundId: string, deadline: AbortSignal): Promise<GatewayResult<ProviderRefund | null>>;
  /** Makes a page at the provider where the amount is charged at once; from there the family comes to `returnTo`. */
  openCheckout(
    order: { key: string; amountCents: number; returnTo: string },
    deadline: AbortSignal,
  ): Promise<GatewayResult<HostedCheckout>>;
  /** Closes that page; from then on nobody can pay there. */
  closeCheckout(id: string, deadline: AbortSignal): Promise<GatewayResult<null>>;
  /** The order of such a page with all payments made for it, or null when there is none. */
  findCheckoutOrder(orderId: string, deadline: AbortSignal): Promise<GatewayResult<CheckoutOrder | null>>;
  /** Reads an event from the raw bytes of its request; null when the signature is not the provider's. */
  parseWebhook(body: Buffer, headers: Headers): WebhookEvent | null;
};
