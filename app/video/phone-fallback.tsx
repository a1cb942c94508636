import { appointmentDetailsPath } from "../booking/appointment-paths.ts";
import { formatPhone, phoneHref } from "../practice/site-links.ts";
import { useSite } from "../practice/site.ts";
import { LinkButton } from "../ui/button.tsx";
import { PhoneIcon } from "../practice/phone-icon.tsx";
import type { CallInfo } from "./call/call-state.ts";

type PhoneCallInfo = Pick<CallInfo, "role" | "id" | "familyPhone">;

/** Shows how to talk by phone, as a card. */
export function PhoneFallbackCard({ callInfo, when }: { callInfo: PhoneCallInfo; when: string }) {
  const { phone } = useSite().practice;
  return (
    <div className="card by-phone">
      <h2 className="flex items-center gap-2 text-xl">
        <PhoneIcon className="size-6" /> By phone
      </h2>
      {callInfo.role === "client" ? (
        <>
          <p>{when} call us.</p>
          <p>
            <LinkButton href={phoneHref(phone)} className="max-sm:w-full">
              Call {phone}
            </LinkButton>
          </p>
        </>
      ) : (
        <PhoneFallback callInfo={callInfo} when={when} />
      )}
    </div>
  );
}

/** Shows how to talk by phone instead: the practice's number for a family, the family's number for the consultant. */
export function PhoneFallback({
  callInfo: { role, id, familyPhone },
  when,
}: {
  callInfo: PhoneCallInfo;
  when: string;
}) {
  const { phone } = useSite().practice;
  return role === "client" ? (
    <p>
      {when} call us at <a href={phoneHref(phone)}>{phone}</a>.
    </p>
  ) : familyPhone ? (
    <p>
      {when} call the family at <a href={phoneHref(familyPhone)}>{formatPhone(familyPhone)}</a>.
    </p>
  ) : (
    <p>
      {when} call the family: how to reach them is in <a href={appointmentDetailsPath(id)}>this visit's details</a>.
    </p>
  );
}
