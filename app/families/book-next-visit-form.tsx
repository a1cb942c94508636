import { Form, Link } from "react-router";
import { adminBookNextVisitPath } from "../booking/appointment-paths.ts";
import { Button } from "../ui/button.tsx";
import type { FamilyPageData } from "./family-page-data.server.ts";

type BookNextVisitFormProps = { familyId: number; bookAgain: NonNullable<FamilyPageData["bookAgain"]> };

/** Button that books a visit like the family's last one. */
export function BookNextVisitForm({
  familyId,
  bookAgain: { id, text, existingVisitText, choices },
}: BookNextVisitFormProps) {
  return (
    <section>
      <h3>Book the next visit</h3>
      {existingVisitText && <p className="wrap-anywhere">{existingVisitText}</p>}
      <p className="text-muted wrap-anywhere">{text}</p>
      <Form method="post" action={`/families/${familyId}`} preventScrollReset className="next-visits">
        <input type="hidden" name="intent" value="book-next" />
        <input type="hidden" name="id" value={id} />
        {choices.map(({ value, label, when }) => (
          <Button key={value} name="start" value={value} busyText="Booking…">
            {label}: {when}
          </Button>
        ))}
        <Link to={adminBookNextVisitPath({ id, userId: familyId })} preventScrollReset className="button button-quiet">
          Choose another time
        </Link>
      </Form>
    </section>
  );
}
