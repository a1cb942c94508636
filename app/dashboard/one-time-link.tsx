import { useSite } from "../practice/site.ts";
import { CopyableLink } from "../ui/copyable-link.tsx";
import { ZonedTime } from "../ui/zoned-time.tsx";

type OneTimeLinkProps = { url: string; expiresAt: string; recipient: string };

/** Shows a one-time link for a family once. `expiresAt` is an ISO instant. */
export function OneTimeLink({ url, expiresAt, recipient }: OneTimeLinkProps) {
  const { timeZone } = useSite().practice;
  return (
    <>
      <p>
        Give this link to {recipient}, by phone or in a message of your own. It works once, until{" "}
        <ZonedTime instant={expiresAt} zone={timeZone} inSentence />. It is shown only now.
      </p>
      <CopyableLink url={url} nextStep="Paste it into a message to the family." />
    </>
  );
}
