import { exchange } from "./exchange.server.ts";
import type { Line, Room } from "./line.server.ts";
import type { News, Presence, Seated } from "./news.server.ts";
import { closeRoom, leftElsewhere, replace, seatElsewhere } from "./rooms.server.ts";
import { inTurn, linesIn, otherRole, rooms } from "./seats.server.ts";

const ROLES = ["client", "admin"] as const;

/** From now on the rooms hear what other processes say of them. */
export function hearNeighbours(): void {
  if (!exchange) return;
  exchange.onNews = (news) => {
    const room = rooms.get(news.appointmentId);
    if (room) void inTurn(room, () => take(room, news));
  };
}

async function take(room: Room, news: News): Promise<void> {
  switch (news.kind) {
    case "sat": {
      // A tab of ours may have taken the seat back while this was on its way.
      const here = room.seats[news.seat.role];
      const isOld = here?.line && (await exchange?.isSeated(here.id));
      return isOld ? undefined : seatElsewhere(room, news.seat);
    }
    case "left":
      return room.seats[news.role]?.id === news.id ? leftElsewhere(room, news.role) : undefined;
    case "replaced": {
      const line = lineOf(room, news.id);
      return line && replace(line, room.id);
    }
    case "relayed": {
      const line = lineOf(room, news.to);
      const isFromOther = line?.seat && room.seats[otherRole(line.seat.role)]?.id === news.from;
      return isFromOther ? line.hand(news.text) : undefined;
    }
    case "ended":
      return closeRoom(room);
  }
}

/**
 * Says to the other processes that this one lives, and sets right what went wrong between them: a process that died
 * took its people with it, and one that was only silent finds its own again.
 */
export async function meetNeighbours(): Promise<void> {
  if (!exchange) return;
  const changes = new Map([...rooms.values()].map((room) => [room, room.changes]));
  const { lost, elsewhere } = await exchange.renew();
  for (const [room, before] of changes) {
    const there = elsewhere.filter(({ appointmentId }) => appointmentId === room.id);
    const gone = lost.filter(({ appointmentId }) => appointmentId === room.id);
    await inTurn(room, async () => {
      if (room.changes === before) settleSeats(room, there);
      for (const presence of gone) await writeAnew(room, presence, there);
    });
  }
}

function settleSeats(room: Room, there: Seated[]): void {
  for (const role of ROLES) {
    const seat = there.find((each) => each.role === role);
    if (seat) seatElsewhere(room, seat);
    else leftElsewhere(room, role);
  }
}

/** A presence that the others took for dead: it sits there still, unless somebody took the seat meanwhile. */
async function writeAnew(room: Room, presence: Presence, there: Seated[]): Promise<void> {
  const line = lineOf(room, presence.id);
  if (!line) return;
  if (presence.isSeated && there.some(({ role }) => role === presence.role)) replace(line, room.id);
  else await exchange?.enter(presence);
}

function lineOf(room: Room, id: string): Line | undefined {
  return linesIn(room).find(({ seat }) => seat?.id === id);
}
