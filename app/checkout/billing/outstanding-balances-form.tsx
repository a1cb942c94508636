import { type SyntheticEvent, useEffect, useRef, useState } from "react";
import { Form, Link } from "react-router";
import { buildReturnPathQuery } from "../../booking/appointment-paths.ts";
import { formatCountWithNoun } from "../../format-count-with-noun.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/choice-fields.tsx";
import { FieldGroup } from "../../ui/field.tsx";
import { formatCents } from "../../ui/format-currency.ts";
import type { AnyField, AnyForm } from "../../ui/use-server-validated-form.ts";
import { SeparatedList } from "../../ui/separated-list.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { IN_PERSON_OPTIONS } from "../payment-methods.ts";
import type { BillingOverviewPageData } from "./billing-overview-page.server.ts";

type Family = BillingOverviewPageData["due"]["families"][number];
type Visit = Family["visits"][number];
type OutstandingBalancesFormProps = {
  /** The page's path and query. */
  path: string;
  families: readonly Family[];
  form: AnyForm;
  fields: { visit: AnyField; method: AnyField; note: AnyField };
};

const METHOD_OPTIONS = [{ value: "", label: "Choose one" }, ...IN_PERSON_OPTIONS];

/** Lists the unpaid visits by family, with upcoming visits collapsed. The administrator checks those that were paid. */
export function OutstandingBalancesForm({ path, families, form, fields }: OutstandingBalancesFormProps) {
  const { initialValue } = fields.visit;
  const initiallyCheckedIds: unknown[] = Array.isArray(initialValue) ? initialValue : [initialValue];
  const visits = families.flatMap((family) => family.visits);
  const familiesWithDebt = families.filter(({ dueCount }) => dueCount > 0);
  const upcoming = visits.filter(({ hasStarted }) => !hasStarted);
  const firstId = (visits.find(({ hasStarted }) => hasStarted) ?? upcoming[0])?.id;
  const { element, checkedIds, onChange } = useCheckedVisitIds();
  const toChoiceProps = (visit: Visit) => ({
    visit,
    path,
    id: visit.id === firstId ? fields.visit.id : `${fields.visit.id}-${visit.id}`,
    isChecked: initiallyCheckedIds.includes(String(visit.id)),
    skipTargetId: checkedIds.includes(String(visit.id)) ? fields.method.id : null,
  });
  return (
    <Form
      key={form.id}
      ref={element}
      method="post"
      action={path}
      id={form.id}
      noValidate
      preventScrollReset
      className="money-form"
      onChange={onChange}
    >
      <SkipToPaymentMethodLink id={fields.method.id} />
      <FieldGroup field={fields.visit} label="Select the visits that were paid">
        <ul>
          {familiesWithDebt.map((family) => (
            <li key={family.userId ?? 0} className="money-family">
              <FamilySums family={family} />
              {family.visits
                .filter(({ hasStarted }) => hasStarted)
                .map((visit) => (
                  <VisitChoice key={visit.id} {...toChoiceProps(visit)} />
                ))}
              <HiddenVisitCount family={family} />
            </li>
          ))}
        </ul>
        {upcoming.length > 0 && (
          <details
            className="disclosure balance-upcoming"
            open={familiesWithDebt.length === 0 || upcoming.some(({ id }) => initiallyCheckedIds.includes(String(id)))}
          >
            <summary>{formatCountWithNoun(upcoming.length, "visit")} to come</summary>
            {upcoming.map((visit) => (
              <VisitChoice key={visit.id} {...toChoiceProps(visit)} hasName />
            ))}
          </details>
        )}
      </FieldGroup>
      <TextField field={fields.note} label="Note" hint="For your own records." optional />
      <div className="money-bar">
        <p role="status" className="scripted font-bold">
          {checkedIds.length > 0 && (
            <CheckedVisitsTotal visits={visits.filter(({ id }) => checkedIds.includes(String(id)))} />
          )}
        </p>
        <SelectField field={fields.method} label="How was it paid?" options={METHOD_OPTIONS} />
        <Button variant="primary" busyText="Saving…">
          Mark as paid
        </Button>
      </div>
    </Form>
  );
}

/** Returns the ids of the checked visits, including those checked before hydration. */
function useCheckedVisitIds() {
  const formRef = useRef<HTMLFormElement>(null);
  const [checkedIds, setCheckedIds] = useState<readonly string[]>([]);
  const read = (form: HTMLFormElement) => setCheckedIds(new FormData(form).getAll("visit").map(String));
  useEffect(() => {
    if (formRef.current) read(formRef.current);
  }, []);
  return {
    element: formRef,
    checkedIds,
    onChange: (event: SyntheticEvent<HTMLFormElement>) => read(event.currentTarget),
  };
}

function CheckedVisitsTotal({ visits }: { visits: readonly Visit[] }) {
  const cents = visits.reduce((sum, { unpaidCents }) => sum + unpaidCents, 0);
  return <SeparatedList items={[formatCountWithNoun(visits.length, "visit"), formatCents(cents)]} />;
}

function HiddenVisitCount({ family: { visits, dueCount, upcomingCount } }: { family: Family }) {
  const hidden = dueCount + upcomingCount - visits.length;
  return hidden > 0 && <p className="text-muted">{hidden} more, newer than those on this page.</p>;
}

function FamilySums({ family: { userId, name, dueCents, upcomingCents } }: { family: Family }) {
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
          <strong key="due" className="text-warn">
            {formatCents(dueCents)} due
          </strong>,
          upcomingCents > 0 && `${formatCents(upcomingCents)} to come`,
        ]}
      />
    </p>
  );
}

/** Lets keyboard users skip the remaining visits and jump to the bar at the bottom. Visible while it has the focus. */
function SkipToPaymentMethodLink({ id }: { id: string }) {
  return (
    <a href={`#${id}`} className="money-skip button button-secondary">
      Skip to “How was it paid?”
    </a>
  );
}

type VisitChoiceProps = {
  visit: Visit;
  id: string;
  isChecked: boolean;
  /** Id of the next field, if the visit is checked. */
  skipTargetId: string | null;
  hasName?: boolean;
  path: string;
};

function VisitChoice({ visit, id, isChecked, skipTargetId, hasName = false, path }: VisitChoiceProps) {
  const { name, title, day, detailsPath } = visit;
  return (
    <div className="money-visit">
      <label className="choice" htmlFor={id}>
        <input type="checkbox" id={id} name="visit" value={visit.id} defaultChecked={isChecked} />
        <span className="money-line">
          <b>{formatCents(visit.unpaidCents)}</b>
          <span className={hasName ? "" : "sr-only"}>{name}, </span>
          {title}
          <span className="text-muted">{day}</span>
        </span>
      </label>
      {skipTargetId && <SkipToPaymentMethodLink id={skipTargetId} />}
      <Link
        to={{ pathname: detailsPath, search: buildReturnPathQuery(path) }}
        preventScrollReset
        className="button button-quiet"
        aria-label={`Details of ${name}, ${title}, ${day}, reference ${visit.id}`}
      >
        Details
      </Link>
    </div>
  );
}
