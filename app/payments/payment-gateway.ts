/** The public settings of the provider for the payment page. Contains no secrets. */
export type GatewayConfig = {
  environment: "production" | "sandbox";
  applicationId: string;
  locationId: string;
  /** URL of the provider's card form script. Only the payment page loads it. */
  scriptUrl: string;
};

/**
 * `declined`: the provider rejected the request; nothing was authorized or charged. `refused`: it rejected our
 * credentials; nothing was authorized or charged either. `failed`: a connection or server error. `timeout`: no response
 * before the deadline. After `failed` and `timeout` the outcome is unknown: repeat the request with the same key, or
 * look up the payment.
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
 * A payment as the provider reports it. `approved`: authorized on the card, no money moved. `captured`: charged.
 * `closed`: nothing is charged or will be charged. `pending`: the provider has not decided yet. Amounts are cents of
 * `currency`.
 */
export type ProviderPayment = {
  id: string;
  status: "approved" | "captured" | "closed" | "pending";
  /** The total including a tip; NaN if the provider reports none. */
  amountCents: number;
  tipCents: number;
  /** The part refunded so far. */
  refundedCents: number;
  /** ISO 4217; empty if the provider reports none. */
  currency: string;
  /** The idempotency key of the request. */
  reference?: string;
  orderId?: string;
  /** The provider's location that took the payment. */
  locationId?: string;
};

/** The order of a hosted checkout page, and every payment made for it. Amounts are cents of `currency`. */
export type ProviderOrder = {
  id: string;
  reference?: string;
  locationId?: string;
  amountCents?: number;
  currency?: string;
  payments: ProviderPayment[];
};

/**
 * A refund to the card that was charged. `accepted`: not completed yet. `failed`: no money moves. Amounts are cents.
 */
export type ProviderRefund = {
  id: string;
  status: "accepted" | "done" | "failed";
  amountCents: number;
  /** The id of the refunded payment, if the provider reports it. */
  paymentId?: string;
};

/** A checkout page at the provider for one order. */
export type HostedCheckout = { id: string; url: string; orderId: string };

/** What an event refers to. It is never proof of a state: the provider must be queried. */
export type WebhookEvent = { paymentId?: string; reference?: string; orderId?: string; refundId?: string };

/**
 * The port to the card provider; independent of appointments. Amounts are US cents, instants UTC. `key` is our
 * idempotency key: repeating a request with the same key has no further effect, and the provider stores it as the
 * payment's reference. `deadline` limits a call including its retries. Provider errors are returned, never thrown.
 * Source: docs/product.md, Paying online; docs/decisions/0005.
 */
export type PaymentGateway = {
  name: "square" | "simulator";
  config: GatewayConfig;
  /**
   * Reserves the amount on the card of `sourceId`, a token from the card form. Moves no money. Errors: `declined` by
   * the bank, `refused`, `failed`, `timeout`.
   */
  authorize(
    order: { key: string; sourceId: string; amountCents: number },
    deadline: AbortSignal,
  ): Promise<GatewayResult<ProviderPayment>>;
  /** Charges a reserved payment. Error `declined` when that is no longer possible: look up the payment. */
  capture(paymentId: string, deadline: AbortSignal): Promise<GatewayResult<ProviderPayment>>;
  /** Releases a reserved payment. Error `declined` when it is no longer reserved: look up the payment. */
  cancel(paymentId: string, deadline: AbortSignal): Promise<GatewayResult<ProviderPayment>>;
  /** Releases the payment made with `key` when its id is unknown. Succeeds when there is no such payment. */
  cancelByKey(key: string, deadline: AbortSignal): Promise<GatewayResult<null>>;
  /** Finds a payment by the provider's id; null when there is none. */
  find(paymentId: string, deadline: AbortSignal): Promise<GatewayResult<ProviderPayment | null>>;
  /** Finds the payment made with `key` around the instant `since` (UTC); null when there is none. */
  findByKey(key: string, since: Date, deadline: AbortSignal): Promise<GatewayResult<ProviderPayment | null>>;
  /**
   * Refunds cents of `currency` (ISO 4217, default USD). Error `declined`: the provider will never make this refund.
   */
  refund(
    order: { key: string; paymentId: string; amountCents: number; currency?: string },
    deadline: AbortSignal,
  ): Promise<GatewayResult<ProviderRefund>>;
  /** Finds a refund by the provider's id; null when there is none. */
  findRefund(refundId: string, deadline: AbortSignal): Promise<GatewayResult<ProviderRefund | null>>;
  /**
   * Creates a page at the provider where the amount is charged immediately. `returnTo` is the URL to return to
   * afterwards.
   */
  openCheckout(
    order: { key: string; amountCents: number; returnTo: string },
    deadline: AbortSignal,
  ): Promise<GatewayResult<HostedCheckout>>;
  /** Closes a hosted checkout page, so that nobody can pay on it. Succeeds when the page is already gone. */
  closeCheckout(id: string, deadline: AbortSignal): Promise<GatewayResult<null>>;
  /** Finds the order of a hosted checkout page with all its payments; null when there is none. */
  findCheckoutOrder(orderId: string, deadline: AbortSignal): Promise<GatewayResult<ProviderOrder | null>>;
  /** Verifies and parses an event from the raw bytes of its request; null when the signature is invalid. */
  parseWebhook(body: Buffer, headers: Headers): WebhookEvent | null;
};
