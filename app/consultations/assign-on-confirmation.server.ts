import { registerEmailConfirmedHandler } from "../accounts/email/confirmed-email.server.ts";
import { assignRequestedVisits } from "../booking/claims/claims.server.ts";

// Requests that were sent with an address before its account was made belong to whoever shows that it is theirs.
registerEmailConfirmedHandler(async (transaction, { userId, email }) => {
  const where = { email, userId: null };
  const requests = await transaction.consultationRequest.findMany({ where, select: { id: true } });
  const ids = requests.map(({ id }) => id);
  await transaction.consultationRequest.updateMany({ where: { id: { in: ids } }, data: { userId } });
  await assignRequestedVisits(transaction, ids, userId);
});
