import { randomUUID } from "node:crypto";

// What comes over the wire has no type.
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
  status: "APPROVED" | "COMPLETED" | "CANCELED" | "FAILED";
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
  /** What Square takes instead of what it was asked for. */
  taken: Partial<SquarePayment>;
  /** What an order says instead of the truth; `tenders` are ids of payments. */
  orderSays: Json;
};
type Around = { now: Date; url: string };

const DECLINES: Record<string, string> = {
  "cnon:card-nonce-declined": "GENERIC_DECLINE",
  "cnon:card-nonce-rejected-cvv": "CVV_FAILURE",
};
const PAGE = 100;

export function createLedger(): FakeSquareLedger {
  return {
    payments: new Map(),
    refunds: new Map(),
    links: new Map(),
    refundStatus: "COMPLETED",
    taken: {},
    orderSays: {},
  };
}

/** Does what Square would do with a call, and answers as it would. */
export function handleCall(books: FakeSquareLedger, call: ApiCall, around: Around): ApiReply {
  if (call.path.startsWith("/pay/")) return payThere(books, call, around);
  if (!call.isAllowed)
    return errorReply(401, "AUTHENTICATION_ERROR", "UNAUTHORIZED", "This request could not be authorized.");
  const [, , kind = "", id = "", verb = ""] = call.path.split("/");
  switch (`${call.method} ${kind}${id ? "/…" : ""}${verb ? `/${kind === "payments" ? verb : "…"}` : ""}`) {
    case "POST payments":
      return create(books, call.body, around);
    case "POST payments/…":
      return cancelByKey(books, call.body);
    case "GET payments":
      return list(books, call.query);
    case "GET payments/…":
      return books.payments.has(id) ? ok({ payment: shown(books.payments.get(id)) }) : missing("payment");
    case "POST payments/…/complete":
      return move(books, id, "COMPLETED");
    case "POST payments/…/cancel":
      return move(books, id, "CANCELED");
    case "POST refunds":
      return refund(books, call.body);
    case "GET refunds/…":
      return books.refunds.has(id) ? ok({ refund: shownRefund(books.refunds.get(id), books) }) : missing("refund");
    case "POST online-checkout/…":
      return link(books, call.body, around);
    case "DELETE online-checkout/…/…":
      return unlink(books, verb);
    case "GET orders/…":
      return order(books, id);
    default:
      return missing("resource");
  }
}

function create(books: FakeSquareLedger, body: Json, { now }: Around): ApiReply {
  const earlier = byKey(books, body.idempotency_key);
  if (earlier) return ok({ payment: shown(earlier) });
  const code = DECLINES[body.source_id];
  if (code) return errorReply(402, "PAYMENT_METHOD_ERROR", code, `Authorization error: '${code}'`);
  if (body.source_id !== "cnon:card-nonce-ok") return missing("card nonce");
  const payment: SquarePayment = {
    id: `sq-${randomUUID()}`,
    key: body.idempotency_key,
    reference_id: body.reference_id,
    status: body.autocomplete === false ? "APPROVED" : "COMPLETED",
    amount: body.amount_money.amount,
    refunded: 0,
    created_at: now.toISOString(),
    ...books.taken,
  };
  books.payments.set(payment.id, payment);
  return ok({ payment: shown(payment) });
}

function cancelByKey(books: FakeSquareLedger, body: Json): ApiReply {
  const payment = byKey(books, body.idempotency_key);
  if (payment?.status === "COMPLETED")
    return errorReply(400, "INVALID_REQUEST_ERROR", "BAD_REQUEST", "Already completed.");
  if (payment) payment.status = "CANCELED";
  return ok({});
}

function list(books: FakeSquareLedger, query: URLSearchParams): ApiReply {
  const [from, to] = [query.get("begin_time") ?? "", query.get("end_time") ?? "9"];
  const all = [...books.payments.values()].filter(({ created_at: at }) => at >= from && at < to);
  const start = Number(query.get("cursor") ?? 0);
  const next = start + PAGE < all.length ? { cursor: String(start + PAGE) } : {};
  return ok({ payments: all.slice(start, start + PAGE).map(shown), ...next });
}

function move(books: FakeSquareLedger, id: string, status: SquarePayment["status"]): ApiReply {
  const payment = books.payments.get(id);
  if (!payment) return missing("payment");
  if (payment.status !== "APPROVED") {
    return errorReply(400, "INVALID_REQUEST_ERROR", "BAD_REQUEST", `The payment is ${payment.status}.`);
  }
  payment.status = status;
  return ok({ payment: shown(payment) });
}

function refund(books: FakeSquareLedger, body: Json): ApiReply {
  const earlier = [...books.refunds.values()].find(({ key }) => key === body.idempotency_key);
  if (earlier) return ok({ refund: shownRefund(earlier, books) });
  const payment = books.payments.get(body.payment_id);
  const { amount } = body.amount_money;
  if (payment?.status !== "COMPLETED") return missing("payment");
  if (payment.refunded + amount > payment.amount + (payment.tip ?? 0)) {
    const detail = "The requested refund amount exceeds the amount available.";
    return errorReply(400, "REFUND_ERROR", "REFUND_AMOUNT_INVALID", detail);
  }
  payment.refunded += amount;
  const id = `rf-${randomUUID()}`;
  const made = { id, key: body.idempotency_key, payment_id: payment.id, amount, status: "PENDING" };
  books.refunds.set(id, made);
  return ok({ refund: shownRefund(made, books) });
}

function link(books: FakeSquareLedger, body: Json, { url }: Around): ApiReply {
  const reference = body.order.reference_id;
  const earlier = [...books.links.values()].find((each) => each.reference === reference);
  const id = earlier?.id ?? `ln-${randomUUID()}`;
  const made = earlier ?? {
    id,
    url: `${url}/pay/${id}`,
    order_id: `or-${randomUUID()}`,
    reference,
    amount: body.order.line_items[0].base_price_money.amount,
    returnTo: body.checkout_options.redirect_url,
    isOpen: true,
  };
  books.links.set(id, made);
  return ok({ payment_link: { id, url: made.url, order_id: made.order_id, version: 1 } });
}

function unlink(books: FakeSquareLedger, id: string): ApiReply {
  const found = books.links.get(id);
  if (!found) return missing("payment link");
  found.isOpen = false;
  return ok({ id });
}

function order(books: FakeSquareLedger, id: string): ApiReply {
  const found = [...books.links.values()].find((each) => each.order_id === id);
  if (!found) return missing("order");
  const payments = [...books.payments.values()].filter(({ order_id: of, key }) => of === id || key === found.id);
  const tenders = payments.map(({ id: payment_id }) => ({ id: payment_id, type: "CARD", payment_id }));
  const total_money = { amount: found.amount, currency: "USD" };
  const truth = { id, location_id: "L1", reference_id: found.reference, state: "OPEN", total_money, tenders };
  return ok({ order: { ...truth, ...books.orderSays } });
}

/** A family paying on Square's own page. */
function payThere(books: FakeSquareLedger, call: ApiCall, { now }: Around): ApiReply {
  const found = books.links.get(call.path.split("/")[2] ?? "");
  if (!found?.isOpen) return missing("page");
  const paid = [...books.payments.values()].some(({ key }) => key === found.id);
  if (!paid) {
    const id = `sq-${randomUUID()}`;
    const { order_id, amount, reference: reference_id, id: key } = found;
    const made = { id, key, reference_id, order_id, amount, refunded: 0, created_at: now.toISOString() };
    books.payments.set(id, { ...made, status: "COMPLETED", ...books.taken });
  }
  return { status: 303, body: {}, location: found.returnTo };
}

function byKey(books: FakeSquareLedger, key: string): SquarePayment | undefined {
  return [...books.payments.values()].find((payment) => payment.key === key);
}

function shown(payment: SquarePayment | undefined) {
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

function shownRefund(refund: Refund | undefined, books: FakeSquareLedger) {
  const { id, payment_id, amount } = refund!;
  return { id, payment_id, status: books.refundStatus, amount_money: { amount, currency: "USD" } };
}

const ok = (body: Json): ApiReply => ({ status: 200, body });
const missing = (what: string) => errorReply(404, "INVALID_REQUEST_ERROR", "NOT_FOUND", `There is no such ${what}.`);

function errorReply(status: number, category: string, code: string, detail: string): ApiReply {
  return { status, body: { errors: [{ category, code, detail }] } };
}
