import { env } from "../env.server.ts";
import { NarrowPage } from "../accounts/narrow-page.tsx";
import type { PageHandle } from "../ui/page-handle.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import type { Route } from "./+types/account-deleted";

export const handle: PageHandle = { unhydrated: true, cache: true };

export function loader() {
  return { graceDays: env.erasureGraceDays };
}

/**
 * Page shown to a family after it has requested its erasure. Contains no personal data, because the family is already
 * signed out.
 */
export default function AccountDeleted({ loaderData: { graceDays } }: Route.ComponentProps) {
  return (
    <NarrowPage heading="You are signed out" lead="We have your request, and your upcoming visits are canceled.">
      <PageMeta>Your account will be deleted</PageMeta>
      {graceDays > 0 ? (
        <p>
          {graceDays} {graceDays === 1 ? "day" : "days"} from when you asked, we delete everything. Changed your mind?{" "}
          <a href="/login">Sign in</a> before then and keep your account.
        </p>
      ) : (
        <p>Everything is deleted within minutes.</p>
      )}
      <p>Thank you for the time we had with you. We wish your family well.</p>
      <p>
        <a href="/">Back to homepage</a>
      </p>
    </NarrowPage>
  );
}
