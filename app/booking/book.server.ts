import { lockAccount } from "../accounts/access.server.ts";
import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { db, inTransaction, isOverlapViolation } from "../db.server.ts";
import { env } from "../env.server.ts";
import { accepted, invalid, type Outcome, type Refusal, refused } from "../http/outcome.ts";
import { hasIntakeForm } from "../intake/intake.server.ts";
import { type Appointment, readAppointment } from "./appointments.server.ts";
import { isTaken, termsOf } from "./availability.server.ts";
import { clearWay } from "./holds.server.ts";
import { exceedsNewAccountLimits } from "./new-account-limits.server.ts";
import { priceInCents } from "./prices.ts";
import { refuse, Refused } from "./refused.ts";
import { TAKEN, whyNever, whyNot, type Wish } from "./rules.ts";
import type { BookingFields } from "./shapes.ts";
import { inTurn } from "./turns.server.ts";

export const INTAKE_FIRST = "Intake Form must be filled out to proceed with appointment";
/** One family's appointments that have not begun (decisions §5.5). */
export const MOST_UPCOMING = 60;

const CLOSED = refused("conflict", "This family's account is closed, so nothing can be booked for it.");
const LARGEST_ID = 2 ** 31 - 1;

type Transaction = Parameters<Parameters<typeof inTransaction>[0]>[0];
/** What the server adds; `service` names what is paid for where the title says more than that. */
type Extra = {
  userId: number | null;
  service?: string;
  paymentMethod?: "in-person" | "online";
  urgency?: string;
  consultationRequestId?: number;
  /** The family books for itself: what a new account may have is limited. */
  isOwnBooking?: boolean;
  /** The attempt to pay that this booking comes from. */
  paymentId?: number;
};

/**
 * Books an appointment to be paid in person. A client books for itself and needs its intake form; the administrator
 * books for the family `userId`, with `anyHour` also outside her hours. Refusals: invalid (a field, or no intake form),
 * tooMany (60 to come, or what a new account may have), conflict (taken).
 */
export async function book(
  person: Person,
  fields: BookingFields & { userId?: unknown },
  { anyHour = false } = {},
): Promise<Outcome<Appointment>> {
  const judge = anyHour && person.isAdmin ? whyNeverThen : whyNotThen;
  const refusal = await judge(fields);
  if (refusal) return refusal;
  if (!person.isAdmin && !(await hasIntakeForm(person))) return refused("invalid", INTAKE_FIRST);
  const userId = person.isAdmin ? await familyNamed(fields.userId) : person.id;
  if (userId === null) return invalid("userId", "Say for which family: userId must be the id of a client.");
  return inTurn(
    async () =>
      (await whyNotFree(fields, userId, judge)) ??
      place(fields, { userId, paymentMethod: "in-person", isOwnBooking: !person.isAdmin }),
  );
}

/** Why the wished time is not to be had just now; null when it is free, or held for this very family. */
export async function whyNotFree(fields: BookingFields, userId: number, judge = whyNotThen): Promise<Refusal | null> {
  return (await judge(fields)) ?? ((await isTaken(wishOf(fields), userId)) ? taken() : null);
}

async function whyNotThen(fields: BookingFields): Promise<Refusal | null> {
  const reason = whyNot(wishOf(fields), await termsOf(fields.appointmentDate));
  return reason === null ? null : invalid("appointmentDate", reason);
}

async function whyNeverThen(fields: BookingFields): Promise<Refusal | null> {
  const reason = whyNever(wishOf(fields), { now: now() });
  return reason === null ? null : invalid("appointmentDate", reason);
}

function wishOf({ appointmentDate, duration, type }: BookingFields): Wish {
  return { start: appointmentDate, duration, type };
}

/**
 * Writes the appointment at the server's own price, after what `before` does in the same transaction. The database
 * refuses overlapping time, whoever else is asking at that moment. Judging the wish is the caller's.
 */
export async function place(
  fields: BookingFields,
  extra: Extra,
  before: (transaction: Transaction) => Promise<Refusal | null> = async () => null,
): Promise<Outcome<Appointment>> {
  try {
    const id = await inTransaction(async (transaction) => {
      if (extra.userId !== null && !(await lockAccount(transaction, extra.userId, { isOpen: true }))) refuse(CLOSED);
      await clearWay(transaction, fields, extra);
      refuse(await before(transaction));
      const { id } = await transaction.appointment.create({ data: rowOf(fields, extra), select: { id: true } });
      refuse(await tooManyUpcoming(transaction, extra.userId));
      if (extra.isOwnBooking && extra.userId !== null)
        refuse(await exceedsNewAccountLimits(transaction, extra.userId, fields));
      return id;
    });
    return accepted(await readAppointment(id));
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    if (isOverlapViolation(error)) return taken();
    throw error;
  }
}

function rowOf(fields: BookingFields, extra: Extra) {
  const { title, appointmentDate, duration, type, isLiveVideoCall } = fields;
  return {
    title,
    appointmentDate,
    duration,
    type,
    isLiveVideoCall,
    description: fields.description ?? null,
    meetingLink: fields.meetingLink ?? null,
    notes: fields.notes ?? null,
    userId: extra.userId,
    urgency: extra.urgency ?? null,
    paymentMethod: extra.paymentMethod ?? null,
    paymentAmountCents: priceInCents(extra.service ?? title),
    consultationRequestId: extra.consultationRequestId ?? null,
    status: "scheduled",
    paymentStatus: "pending",
    ...(extra.paymentId === undefined ? {} : { payments: { connect: { id: extra.paymentId } } }),
  };
}

/** Counted after writing: those who write the calendar take turns, so nobody else's booking can slip in between. */
async function tooManyUpcoming(transaction: Transaction, userId: number | null): Promise<Refusal | null> {
  if (!env.rateLimits || userId === null) return null;
  const where = { userId, appointmentDate: { gt: now() }, status: { not: "cancelled" } };
  const { _count, _min } = await transaction.appointment.aggregate({
    where,
    _count: true,
    _min: { appointmentDate: true },
  });
  if (_count <= MOST_UPCOMING) return null;
  const next = (_min.appointmentDate ?? now()).getTime() - now().getTime();
  const refusal = refused(
    "tooMany",
    `A family can have ${MOST_UPCOMING} upcoming appointments. Please cancel one first, or call us.`,
  );
  return { ...refusal, retryAfterSeconds: Math.max(1, Math.ceil(next / 1000)) };
}

/** The id of an existing client that an administrator named, else null. */
export async function familyNamed(id: unknown): Promise<number | null> {
  if (typeof id !== "number" || !Number.isInteger(id) || id < 1 || id > LARGEST_ID) return null;
  const family = await db.user.findFirst({
    where: { id, isClient: true, isAdmin: false, closedAt: null },
    select: { id: true },
  });
  return family?.id ?? null;
}

export function taken(): Refusal {
  return refused("conflict", TAKEN, { appointmentDate: [TAKEN] });
}
