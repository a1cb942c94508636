import { randomUUID } from "node:crypto";

// A request body has no type.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

export type ApiCall = {
  id: string;
  method: string;
  path: string;
  query: URLSearchParams;
  body: Json;
  isAllowed: boolean;
};
export type ApiReply = { status: number; body: Json; location?: string };
export type SquarePayment = {
  id: string;
  key: string;
  reference_id: string;
  order_id?: string;
  status: "APPROVED" | "PENDING" | "COMPLETED" | "CANCELED" | "FAILED";
  amount: number;
  tip?: number;
  currency?: string;
  location_id?: string;
  refunded: number;
  created_at: string;
};
type Refund = { id: string; key: string; payment_id: string; amount: number; status: string };
type Link = {
  id: string;
  url: string;
  order_id: string;
  reference: string;
  amount: number;
  returnTo: string;
  isOpen: boolean;
};

export type FakeSquareLedger = {
  payments: Map<string, SquarePayment>;
  refunds: Map<string, Refund>;
  links: Map<string, Link>;
  refundStatus: string;
  /** Fields of a new payment that differ from the request. */
  paymentOverrides: Partial<SquarePayment>;
  /** Fields of an order that differ from the ledger; `tenders` are ids of payments. */
  orderOverrides: Json;
};
type CallContext = { now: Date; url: string };

const DECLINES: Record<string, string> = {
  "cnon:card-nonce-declined": "GENERIC_DECLINE",
  "cnon:card-nonce-rejected-cvv": "CVV_FAILURE",
};
const PAGE_SIZE = 100;

export function createLedger(): FakeSquareLedger {
  return {
    payments: new Map(),
    refunds: new Map(),
    links: new Map(),
    refundStatus: "COMPLETED",
    paymentOverrides: {},
    orderOverrides: {},
  };
}

/** Handles an API call as Square does. */
export function handleCall(ledger: FakeSquareLedger, call: ApiCall, context: CallContext): ApiReply {
  if (call.path.startsWith("/pay/")) return payOnHostedPage(ledger, call, context);
  if (!call.isAllowed)
    return errorReply(401, "AUTHENTICATION_ERROR", "UNAUTHORIZED", "This request could not be authorized.");
  const [, , kind = "", id = "", verb = ""] = call.path.split("/");
  switch (`${call.method} ${kind}${id ? "/…" : ""}${verb ? `/${kind === "payments" ? verb : "…"}` : ""}`) {
    case "POST payments":
      return create(ledger, call.body, context);
    case "POST payments/…":
      return cancelByKey(ledger, call.body);
    case "GET payments":
      return list(ledger, call.query);
    case "GET payments/…":
      return ledger.payments.has(id) ? ok({ payment: toPaymentJson(ledger.payments.get(id)) }) : notFound("payment");
    case "POST payments/…/complete":
      return setStatus(ledger, id, "COMPLETED");
    case "POST payments/…/cancel":
      return setStatus(ledger, id, "CANCELED");
    case "POST refunds":
      return refund(ledger, call.body);
    case "GET refunds/…":
      return ledger.refunds.has(id) ? ok({ refund: toRefundJson(ledger.refunds.get(id), ledger) }) : notFound("refund");
    case "POST online-checkout/…":
      return link(ledger, call.body, context);
    case "DELETE online-checkout/…/…":
      return unlink(ledger, verb);
    case "GET orders/…":
      return order(ledger, id);
    default:
      return notFound("resource");
  }
}

function create(ledger: FakeSquareLedger, body: Json, { now }: CallContext): ApiReply {
  const earlier = findByKey(ledger, body.idempotency_key);
  if (earlier) return ok({ payment: toPaymentJson(earlier) });
  const code = DECLINES[body.source_id];
  if (code) return errorReply(402, "PAYMENT_METHOD_ERROR", code, `Authorization error: '${code}'`);
  if (body.source_id !== "cnon:card-nonce-ok") return notFound("card nonce");
  const payment: SquarePayment = {
    id: `sq-${randomUUID()}`,
    key: body.idempotency_key,
    reference_id: body.reference_id,
    status: body.autocomplete === false ? "APPROVED" : "COMPLETED",
    amount: body.amount_money.amount,
    refunded: 0,
    created_at: now.toISOString(),
    ...ledger.paymentOverrides,
  };
  ledger.payments.set(payment.id, payment);
  return ok({ payment: toPaymentJson(payment) });
}

function cancelByKey(ledger: FakeSquareLedger, body: Json): ApiReply {
  const payment = findByKey(ledger, body.idempotency_key);
  if (payment?.status === "COMPLETED")
    return errorReply(400, "INVALID_REQUEST_ERROR", "BAD_REQUEST", "Already completed.");
  if (payment) payment.status = "CANCELED";
  return ok({});
}

function list(ledger: FakeSquareLedger, query: URLSearchParams): ApiReply {
  const [from, to] = [query.get("begin_time") ?? "", query.get("end_time") ?? "9"];
  const all = [...ledger.payments.values()].filter(({ created_at: at }) => at >= from && at < to);
  const start = Number(query.get("cursor") ?? 0);
  const next = start + PAGE_SIZE < all.length ? { cursor: String(start + PAGE_SIZE) } : {};
  return ok({ payments: all.slice(start, start + PAGE_SIZE).map(toPaymentJson), ...next });
}

function setStatus(ledger: FakeSquareLedger, id: string, status: SquarePayment["status"]): ApiReply {
  const payment = ledger.payments.get(id);
  if (!payment) return notFound("payment");
  if (payment.status !== "APPROVED") {
    return errorReply(400, "INVALID_REQUEST_ERROR", "BAD_REQUEST", `The payment is ${payment.status}.`);
  }
  payment.status = status;
  return ok({ payment: toPaymentJson(payment) });
}

function refund(ledger: FakeSquareLedger, body: Json): ApiReply {
  const earlier = [...ledger.refunds.values()].find(({ key }) => key === body.idempotency_key);
  if (earlier) return ok({ refund: toRefundJson(earlier, ledger) });
  const payment = ledger.payments.get(body.payment_id);
  const { amount } = body.amount_money;
  if (payment?.status !== "COMPLETED") return notFound("payment");
  if (payment.refunded + amount > payment.amount + (payment.tip ?? 0)) {
    const detail = "The requested refund amount exceeds the amount available.";
    return errorReply(400, "REFUND_ERROR", "REFUND_AMOUNT_INVALID", detail);
  }
  payment.refunded += amount;
  const id = `rf-${randomUUID()}`;
  const created = { id, key: body.idempotency_key, payment_id: payment.id, amount, status: "PENDING" };
  ledger.refunds.set(id, created);
  return ok({ refund: toRefundJson(created, ledger) });
}

function link(ledger: FakeSquareLedger, body: Json, { url }: CallContext): ApiReply {
  const reference = body.order.reference_id;
  const earlier = [...ledger.links.values()].find((each) => each.reference === reference);
  const id = earlier?.id ?? `ln-${randomUUID()}`;
  const created = earlier ?? {
    id,
    url: `${url}/pay/${id}`,
    order_id: `or-${randomUUID()}`,
    reference,
    amount: body.order.line_items[0].base_price_money.amount,
    returnTo: body.checkout_options.redirect_url,
    isOpen: true,
  };
  ledger.links.set(id, created);
  return ok({ payment_link: { id, url: created.url, order_id: created.order_id, version: 1 } });
}

function unlink(ledger: FakeSquareLedger, id: string): ApiReply {
  const found = ledger.links.get(id);
  if (!found) return notFound("payment link");
  found.isOpen = false;
  return ok({ id });
}

function order(ledger: FakeSquareLedger, id: string): ApiReply {
  const found = [...ledger.links.values()].find((each) => each.order_id === id);
  if (!found) return notFound("order");
  const payments = [...ledger.payments.values()].filter(({ order_id: of, key }) => of === id || key === found.id);
  const tenders = payments.map(({ id: payment_id }) => ({ id: payment_id, type: "CARD", payment_id }));
  const total_money = { amount: found.amount, currency: "USD" };
  const actualOrder = { id, location_id: "L1", reference_id: found.reference, state: "OPEN", total_money, tenders };
  return ok({ order: { ...actualOrder, ...ledger.orderOverrides } });
}

/** A family pays on Square's hosted page. */
function payOnHostedPage(ledger: FakeSquareLedger, call: ApiCall, { now }: CallContext): ApiReply {
  const found = ledger.links.get(call.path.split("/")[2] ?? "");
  if (!found?.isOpen) return notFound("page");
  const paid = [...ledger.payments.values()].some(({ key }) => key === found.id);
  if (!paid) {
    const id = `sq-${randomUUID()}`;
    const { order_id, amount, reference: reference_id, id: key } = found;
    const created = { id, key, reference_id, order_id, amount, refunded: 0, created_at: now.toISOString() };
    ledger.payments.set(id, { ...created, status: "COMPLETED", ...ledger.paymentOverrides });
  }
  return { status: 303, body: {}, location: found.returnTo };
}

function findByKey(ledger: FakeSquareLedger, key: string): SquarePayment | undefined {
  return [...ledger.payments.values()].find((payment) => payment.key === key);
}

function toPaymentJson(payment: SquarePayment | undefined) {
  const { id, reference_id, order_id, status, amount, tip = 0, currency = "USD", refunded, created_at } = payment!;
  return {
    id,
    reference_id,
    order_id,
    status,
    location_id: payment?.location_id ?? "L1",
    amount_money: { amount, currency },
    total_money: { amount: amount + tip, currency },
    ...(refunded > 0 && { refunded_money: { amount: refunded, currency } }),
    created_at,
  };
}

function toRefundJson(refund: Refund | undefined, ledger: FakeSquareLedger) {
  const { id, payment_id, amount } = refund!;
  return { id, payment_id, status: ledger.refundStatus, amount_money: { amount, currency: "USD" } };
}

const ok = (body: Json): ApiReply => ({ status: 200, body });
const notFound = (what: string) => errorReply(404, "INVALID_REQUEST_ERROR", "NOT_FOUND", `There is no such ${what}.`);

function errorReply(status: number, category: string, code: string, detail: string): ApiReply {
  return { status, body: { errors: [{ category, code, detail }] } };
}
