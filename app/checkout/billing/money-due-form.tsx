import { Form, Link, useLocation } from "react-router";
import { returnQuery } from "../../booking/paths.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { RadioField } from "../../ui/choice-fields.tsx";
import { FieldGroup } from "../../ui/field.tsx";
import { formatCents } from "../../ui/money.ts";
import type { AnyField, AnyForm } from "../../ui/page-form.ts";
import { SeparatedList } from "../../ui/separated-list.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { IN_PERSON_OPTIONS } from "../payment-methods.ts";
import type { moneyDue } from "./money-due.server.ts";

type Family = Awaited<ReturnType<typeof moneyDue>>["families"][number];
type MoneyDueFormProps = {
  families: readonly Family[];
  form: AnyForm;
  fields: { visit: AnyField; method: AnyField; note: AnyField };
};

/** The unpaid visits by family. The administrator checks those that were paid. */
export function MoneyDueForm({ families, form, fields }: MoneyDueFormProps) {
  const { initialValue } = fields.visit;
  const checked: unknown[] = Array.isArray(initialValue) ? initialValue : [initialValue];
  const [first] = families.flatMap(({ visits }) => visits);
  return (
    <Form key={form.id} method="post" id={form.id} noValidate preventScrollReset className="grid gap-6">
      <FieldGroup field={fields.visit} label="Check what was paid">
        <ul className="rows">
          {families.map((family) => (
            <li key={family.userId ?? 0} className="money-family">
              <FamilySums family={family} />
              {family.visits.map((visit) => (
                <VisitChoice
                  key={visit.id}
                  visit={visit}
                  id={visit === first ? fields.visit.id : `${fields.visit.id}-${visit.id}`}
                  isChecked={checked.includes(String(visit.id))}
                />
              ))}
              {family.visits.length < family.dueCount + family.comingCount && (
                <p className="text-muted">
                  {family.dueCount + family.comingCount - family.visits.length} more, newer than those on this page.
                </p>
              )}
            </li>
          ))}
        </ul>
      </FieldGroup>
      <RadioField field={fields.method} legend="How was it paid?" options={IN_PERSON_OPTIONS} isInline />
      <TextField field={fields.note} label="Note" hint="For your own records." optional />
      <Button variant="primary" busyText="Saving…" className="justify-self-start">
        Mark as paid
      </Button>
    </Form>
  );
}

function FamilySums({ family: { userId, name, dueCents, comingCents } }: { family: Family }) {
  return (
    <p className="money-family-name">
      {userId === null ? (
        <b>Without an account</b>
      ) : (
        <b className="wrap-anywhere">
          <Link to={`/families/${userId}`}>{name}</Link>
        </b>
      )}
      <SeparatedList
        items={[
          dueCents > 0 && (
            <strong key="due" className="text-warn">
              {formatCents(dueCents)} due
            </strong>
          ),
          comingCents > 0 && `${formatCents(comingCents)} to come`,
        ]}
      />
    </p>
  );
}

type VisitChoiceProps = { visit: Family["visits"][number]; id: string; isChecked: boolean };

function VisitChoice({ visit, id, isChecked }: VisitChoiceProps) {
  const { pathname, search } = useLocation();
  const { name, title, day, detailsPath } = visit;
  return (
    <div className="money-visit">
      <label className="choice" htmlFor={id}>
        <input type="checkbox" id={id} name="visit" value={visit.id} defaultChecked={isChecked} />
        <span>
          <b>{formatCents(visit.dueCents)}</b> <span className="sr-only">{name}, </span>
          {title}{" "}
          <span className="block text-muted">
            {day} {!visit.hasStarted && <Badge tone="grey">to come</Badge>}
          </span>
        </span>
      </label>
      <Link
        to={{ pathname: detailsPath, search: returnQuery(pathname + search) }}
        className="button button-quiet"
        aria-label={`Details of ${name}, ${title}, ${day}, reference ${visit.id}`}
      >
        Details
      </Link>
    </div>
  );
}
