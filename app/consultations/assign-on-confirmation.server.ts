import { registerEmailConfirmedHandler } from "../accounts/email/store-confirmed-email.server.ts";
import { assignRequestedVisits } from "../booking/claims/claims.server.ts";
import { readBatches } from "../db/batches.server.ts";

// Requests that were sent with an address before its account was made belong to whoever shows that it is theirs. Strangers
// can send any number with somebody's address.
registerEmailConfirmedHandler(async (transaction, { userId, email }) => {
  const read = (after: number, take: number) =>
    transaction.consultationRequest.findMany({
      where: { email, userId: null, id: { gt: after } },
      orderBy: { id: "asc" },
      take,
      select: { id: true },
    });
  for await (const requests of readBatches(read)) {
    const ids = requests.map(({ id }) => id);
    await transaction.consultationRequest.updateMany({ where: { id: { in: ids } }, data: { userId } });
    await assignRequestedVisits(transaction, ids, userId);
  }
});
