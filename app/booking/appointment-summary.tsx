import { useSite } from "../practice/site.ts";
import { When } from "../ui/when.tsx";

/** Which appointment a dialog is about: its service, and its weekday and time. */
export function AppointmentSummary({ title, start }: { title: string; start: string }) {
  const { timeZone } = useSite().practice;
  return (
    <>
      <span className="block">{title}</span> <When instant={start} zone={timeZone} />
    </>
  );
}
