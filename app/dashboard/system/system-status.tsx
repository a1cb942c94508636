import { Form } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { markUnknownRevocationsChecked } from "../../backup/unknown-revocations.server.ts";
import { markScriptChangesSeen } from "../../checkout/script-watch/mark-script-changes-seen.server.ts";
import { now } from "../../clock.ts";
import { formatCountWithNoun } from "../../format-count-with-noun.ts";
import { readForm } from "../../http/form.server.ts";
import { HTTP_STATUS, refused } from "../../http/outcome.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";
import { PROCESS_INFO } from "../../process/system-info.server.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { PageMeta } from "../../ui/page-meta.tsx";
import type { Route } from "./+types/system-status";
import { markAsSeenSchema } from "./dismiss-warning-schema.ts";
import { readSystemStatus, type StatusItem } from "./system-status.server.ts";

const TITLE = "System status";
const SYSTEM_STATUS_PATH = "/system-status";
const NO_CHANGE_MESSAGE = "Please choose a change to mark as seen.";

export async function loader({ context }: Route.LoaderArgs) {
  const status = await readSystemStatus(requirePerson(context));
  if (!status.ok) throw new Response(status.message, { status: HTTP_STATUS[status.reason], statusText: "Forbidden" });
  const { version, build, node, startedAt } = PROCESS_INFO;
  return {
    lines: status.value,
    at: formatPracticeDateTime(now()),
    version: `${version}, build ${build}, Node.js ${node}`,
    since: formatPracticeDateTime(startedAt),
  };
}

/** Marks changes of the payment page's script, or the effects of a restored backup, as seen. */
export async function action({ request, context }: Route.ActionArgs) {
  const submission = await readForm(request, markAsSeenSchema);
  const marked =
    submission.status === "success"
      ? await MARK_AS_SEEN_COMMANDS[submission.value.part](requirePerson(context), submission.value.upTo)
      : refused("invalid", NO_CHANGE_MESSAGE);
  return redirectWithFlash(
    context,
    SYSTEM_STATUS_PATH,
    marked.ok
      ? { title: "Marked as Seen" }
      : { title: "Not Marked", description: marked.message, style: "destructive" },
  );
}

const MARK_AS_SEEN_COMMANDS = {
  "payment script": markScriptChangesSeen,
  "restored backup": markUnknownRevocationsChecked,
};

const STATUS_BADGES = {
  well: { color: "green", label: "OK" },
  attention: { color: "yellow", label: "needs attention" },
  off: { color: "grey", label: "not set up" },
} as const;

/** Shows the consultant the state of everything that the site needs, and what to do. */
export default function SystemStatus({ loaderData: { lines, at, version, since } }: Route.ComponentProps) {
  const itemsInState = (state: StatusItem["state"]) => lines.filter((line) => line.state === state);
  const [wrong, off] = [itemsInState("attention"), itemsInState("off")];
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageMeta>{TITLE}</PageMeta>
      <h1>{TITLE}</h1>
      <p>
        {wrong.length > 0
          ? `${formatCountWithNoun(wrong.length, "part needs", "parts need")} your attention.`
          : off.length === 0 && "Nothing needs your attention."}{" "}
        {off.length > 0 && `Not set up: ${off.map(({ name }) => name.toLowerCase()).join(", ")}.`}{" "}
        <span className="text-muted">As of {at}.</span>
      </p>
      {lines.some(({ setting }) => setting) && (
        <p>The person who installed this site can set up what is missing. See docs/operations.md.</p>
      )}
      <Card title="Services">
        <ul className="rows">
          {[...wrong, ...off, ...itemsInState("well")].map((line) => (
            <StatusRow key={line.name} line={line} />
          ))}
        </ul>
      </Card>
      <Card title="This installation">
        <dl className="facts">
          <dt>Version</dt>
          <dd>{version}</dd>
          <dt>Running since</dt>
          <dd>{since}</dd>
        </dl>
      </Card>
    </main>
  );
}

function StatusRow({ line: { name, state, fact, advice, setting, markAsSeen } }: { line: StatusItem }) {
  const { color, label } = STATUS_BADGES[state];
  return (
    <li className="row block">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3>{name}</h3>
        <Badge color={color}>{label}</Badge>
      </div>
      <p className="wrap-anywhere">{fact}</p>
      {advice.map((text) => (
        <p key={text} className="wrap-anywhere">
          {text}
        </p>
      ))}
      {setting && (
        <p className="text-sm text-muted">
          Name of the setting: <code>{setting}</code>
        </p>
      )}
      {markAsSeen && (
        <Form method="post" action={SYSTEM_STATUS_PATH} className="mt-2">
          <input type="hidden" name="part" value={markAsSeen.part} />
          <input type="hidden" name="upTo" value={markAsSeen.upTo} />
          <Button>Mark as seen</Button>
        </Form>
      )}
    </li>
  );
}
