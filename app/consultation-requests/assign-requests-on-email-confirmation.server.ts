import { registerEmailConfirmedHandler } from "../accounts/email/store-confirmed-email.server.ts";
import { assignRequestedVisits } from "../booking/claims/claims.server.ts";
import { redeemConfirmedInvitation } from "../booking/invitations/accept-invitation.server.ts";
import { readBatches } from "../db/batches.server.ts";

// Assigns the invitation to an address, and the requests sent with it, to the account once the account has confirmed
// the address. Not earlier, because anyone can send any number of requests with another person's address. The
// invitation is ended first: all code locks the invitation's visit before that visit's request.
registerEmailConfirmedHandler(async (transaction, { userId, email }) => {
  await redeemConfirmedInvitation(transaction, { userId, email });
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
