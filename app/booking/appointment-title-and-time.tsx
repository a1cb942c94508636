import { useSite } from "../practice/site.ts";
import { ZonedTime } from "../ui/zoned-time.tsx";

/** Shows the service, weekday and time of the appointment that a dialog is about. */
export function AppointmentTitleAndTime({ title, start }: { title: string; start: string }) {
  const { timeZone } = useSite().practice;
  return (
    <>
      <span className="block">{title}</span> <ZonedTime instant={start} zone={timeZone} />
    </>
  );
}
