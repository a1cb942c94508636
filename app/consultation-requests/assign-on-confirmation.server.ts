import { registerEmailConfirmedHandler } from "../accounts/email/store-confirmed-email.server.ts";
import { assignRequestedVisits } from "../booking/claims/claims.server.ts";
import { endConfirmedInvitation } from "../booking/invitations/accept.server.ts";
import { readBatches } from "../db/batches.server.ts";

// An invitation to an address, and requests that were sent with it before its account was made, belong to whoever shows
// that it is theirs. Strangers can send any number of requests with somebody's address. The invitation comes first: its
// visit is locked before the visit's request everywhere.
registerEmailConfirmedHandler(async (transaction, { userId, email }) => {
  await endConfirmedInvitation(transaction, { userId, email });
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
