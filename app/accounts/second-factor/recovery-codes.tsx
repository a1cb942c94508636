import { PageMeta } from "../../ui/page-meta.tsx";
import { NarrowPage } from "../narrow-page.tsx";
import { OTHER_SESSIONS_ENDED_MESSAGE } from "../sessions/other-sessions-ended.ts";

const ACTIVATED_MESSAGE =
  "The second step is on. If you lose your phone, one of these codes lets you in. Each works once.";

/** Shows the recovery codes, which are shown only once. */
export function RecoveryCodes({ codes, lead = ACTIVATED_MESSAGE }: { codes: string[]; lead?: string }) {
  return (
    <NarrowPage heading="Keep these codes" lead={lead}>
      <PageMeta>Keep these codes</PageMeta>
      <p>{OTHER_SESSIONS_ENDED_MESSAGE}</p>
      <p className="notice font-bold">They are shown only now. Print this page, or write them down.</p>
      <ul className="grid gap-2 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p>
        <a href="/dashboard">Done. I have my codes</a>
      </p>
    </NarrowPage>
  );
}
