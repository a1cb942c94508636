/** The public settings of the provider for the paying page. Contains no secret. */
export type GatewayConfig = {
  environment: "production" | "sandbox";
  applicationId: string;
  locationId: string;
  /** The provider's card form; loaded by the paying page alone. */
  scriptUrl: string;
};

/**
 * `declined`: the provider rejected the request; certainly nothing was done. `refused`: it rejected our credentials;
 * nothing was done either. `failed`: a connection or server error. `timeout`: no response before the deadline. After
 * `failed` and `timeout` the outcome is unknown: repeat with the same key, or look the payment up.
 */
export type GatewayError = {
  ok: false;
  kind: "declined" | "refused" | "failed" | "timeout";
  detail: string;
  /** The provider's error code, such as Square's GENERIC_DECLINE. */
  code?: string;
  notFound?: true;
};
export type GatewayResult<T> = { ok: true; value: T } | GatewayError;

/**
 * A payment as the provider reports it. `approved`: reserved on the card, no money moved. `captured`: charged. `closed`:
 * nothing is or will be charged. `pending`: the provider has not decided yet. Amounts are cents of `currency`.
 */
export type ProviderPayment = {
  id: string;
  status: "approved" | "captured" | "closed" | "pending";
  /** The total including a tip; NaN where the provider reports none. */
  amountCents: number;
  tipCents: number;
  /** The part refunded so far. */
  refundedCents: number;
  /** ISO 4217; empty where the provider reports none. */
  currency: string;
  /** The idempotency key of the request. */
  reference?: string;
  orderId?: string;
  /** Where it was taken. */
  locationId?: string;
};

/** The order behind a hosted checkout page, and every payment made for it. Amounts are cents of `currency`. */
export type CheckoutOrder = {
  id: string;
  reference?: string;
  locationId?: string;
  amountCents?: number;
  currency?: string;
  payments: ProviderPayment[];
};

/** A refund to the card that paid. `accepted`: not completed yet. `failed`: no money moves. Amounts are cents. */
export type ProviderRefund = {
  id: string;
  status: "accepted" | "done" | "failed";
  amountCents: number;
  /** The refunded payment, where the provider reports it. */
  paymentId?: string;
};

/** A page of the provider where one order is paid. */
export type HostedCheckout = { id: string; url: string; orderId: string };

/** What an event refers to. It is never proof of a state: the provider must be queried. */
export type WebhookEvent = { paymentId?: string; reference?: string; orderId?: string; refundId?: string };

/**
 * The port to the card provider; independent of appointments. Amounts are US cents, instants UTC. `key` is our
 * idempotency key: repeating a request with it has no further effect, and the provider stores it as the payment's
 * reference. `deadline` bounds a call including its retries. Failures of the provider are returned, never thrown.
 * Source: docs/product.md, Paying online; docs/decisions/0005.
 */
export type Gateway = {
  name: "square" | "simulator";
  config: GatewayConfig;
  /**
   * Reserves the amount on the card behind `sourceId`, a token of the card form. Moves no money. Errors: `declined` by
   * the bank, `refused`, `failed`, `timeout`.
   */
  authorize(
    order: { key: string; sourceId: string; amountCents: number },
    deadline: AbortSignal,
  ): Promise<GatewayResult<ProviderPayment>>;
  /** Charges a reserved payment. `declined` when that is no longer possible: look the payment up. */
  capture(paymentId: string, deadline: AbortSignal): Promise<GatewayResult<ProviderPayment>>;
  /** Releases a reserved payment. `declined` when it is not reserved anymore: look the payment up. */
  cancel(paymentId: string, deadline: AbortSignal): Promise<GatewayResult<ProviderPayment>>;
  /** Releases the payment made with `key`, when its id is unknown. Succeeds when there is no such payment. */
  cancelByKey(key: string, deadline: AbortSignal): Promise<GatewayResult<null>>;
  /** Finds a payment by the provider's id; null when there is none. */
  find(paymentId: string, deadline: AbortSignal): Promise<GatewayResult<ProviderPayment | null>>;
  /** Finds the payment made with `key` around the instant `since` (UTC); null when there is none. */
  findByKey(key: string, since: Date, deadline: AbortSignal): Promise<GatewayResult<ProviderPayment | null>>;
  /** Refunds cents of `currency` (ISO 4217, default USD). `declined`: the provider never will. */
  refund(
    order: { key: string; paymentId: string; amountCents: number; currency?: string },
    deadline: AbortSignal,
  ): Promise<GatewayResult<ProviderRefund>>;
  /** Finds a refund by the provider's id; null when there is none. */
  findRefund(refundId: string, deadline: AbortSignal): Promise<GatewayResult<ProviderRefund | null>>;
  /** Creates a page at the provider where the amount is charged at once. `returnTo` is the URL it leads back to. */
  openCheckout(
    order: { key: string; amountCents: number; returnTo: string },
    deadline: AbortSignal,
  ): Promise<GatewayResult<HostedCheckout>>;
  /** Closes a hosted checkout page, so that nobody can pay there. Succeeds when it is gone already. */
  closeCheckout(id: string, deadline: AbortSignal): Promise<GatewayResult<null>>;
  /** Finds the order of a hosted checkout page with all its payments; null when there is none. */
  findCheckoutOrder(orderId: string, deadline: AbortSignal): Promise<GatewayResult<CheckoutOrder | null>>;
  /** Verifies and parses an event from the raw bytes of its request; null when the signature is invalid. */
  parseWebhook(body: Buffer, headers: Headers): WebhookEvent | null;
};
