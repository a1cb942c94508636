import { useSite } from "../../practice/site.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { formatDateTime } from "../../ui/format-date-time.ts";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import { WAITING_LIST_PATH } from "../appointment-paths.ts";
import type { listOpenOffers } from "./open-waiting-list-offers.server.ts";

export type HeldOffersProps = {
  /** Free times that are held for the family. */
  offers: Awaited<ReturnType<typeof listOpenOffers>>;
  /** Whether responding to the first is the page's primary action. */
  isPrimary: boolean;
};

/** Shows the times that are held for the family, as rows of a list, with links to the page that books or declines them. */
export function HeldOfferRows({ offers, isPrimary }: HeldOffersProps) {
  const { timeZone } = useSite().practice;
  return offers.map(({ id, start, duration, until }, index) => (
    <li key={id} className="row">
      <p className="min-w-0 flex-1 basis-64">
        <strong>A time has opened up: {formatDateTime(start, timeZone)}</strong>
        <br />
        {duration} minutes. We are holding it for you until <ZonedTime instant={until} zone={timeZone} inSentence />.
      </p>
      <LinkButton to={WAITING_LIST_PATH} variant={isPrimary && index === 0 ? "primary" : "secondary"}>
        Book or decline<span className="sr-only">: {formatDateTime(start, timeZone)}</span>
      </LinkButton>
    </li>
  ));
}

/** Shows the times that are held for the family as a card of its own. */
export function HeldOffersCard(props: HeldOffersProps) {
  return (
    <Card title="Held for you">
      <ul className="rows">
        <HeldOfferRows {...props} />
      </ul>
    </Card>
  );
}
