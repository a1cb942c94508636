import type { PageHandle } from "../../ui/page-handle.ts";
import { DRAFT_RETENTION_DAYS } from "../site-content.ts";
import type { Route } from "./+types/privacy-policy";
import { LegalContact, LegalPage } from "./legal-page.tsx";
import { env } from "../../env.server.ts";
import { formatStunHosts } from "./stun-hosts.server.ts";

export const handle: PageHandle = { unhydrated: true, cache: true };

export function loader() {
  return { stunHosts: formatStunHosts(), graceDays: env.erasureGraceDays };
}

export default function PrivacyPolicy({ loaderData: { stunHosts, graceDays } }: Route.ComponentProps) {
  return (
    <LegalPage
      title="Privacy Policy"
      summary="We ask only for what we need to help your family, keep it private, never sell it, and answer privacy requests within 30 days."
    >
      <h2>What this policy covers</h2>
      <p>
        This policy explains what we learn about you and your family through this website and through our work together,
        what we do with it, and what you can ask of us. We are based in Long Branch, New Jersey.
      </p>

      <h2>What we collect</h2>
      <ul>
        <li>
          <strong>Your account:</strong> first name, last name, email address, phone number if you give it, and a
          password that is stored only in a scrambled form that can't be read back.
        </li>
        <li>
          <strong>The intake form:</strong> how to reach you, your address, your child's name, age and birthday, and
          what you choose to tell us about school, diagnosis, services, concerns and the help you want.
        </li>
        <li>
          <strong>Appointments:</strong> what you book, when, for how long, the notes you add and how you chose to pay.
        </li>
        <li>
          <strong>Requests:</strong> when you ask for a consultation, with or without an account, your name, how to
          reach you and what you write; what you ask us about privacy or accessibility.
        </li>
        <li>
          <strong>Messages and agreements:</strong> the messages that we send you, your answers before a visit, and the
          agreements that you sign.
        </li>
        <li>
          <strong>Documents:</strong> the files you upload, such as school letters, plans and evaluations.
        </li>
        <li>
          <strong>Payments:</strong> the amount, the date and the payment provider's reference. Card numbers go straight
          to the payment provider. We never see or keep them.
        </li>
        <li>
          <strong>Technical data:</strong> what is needed to run the site safely, such as your sign-in session and
          short-lived records that guard against misuse.
        </li>
      </ul>

      <h2>How we use it</h2>
      <ul>
        <li>to prepare and hold your appointments, and to advocate for your child where you ask us to;</li>
        <li>to answer your questions and requests;</li>
        <li>to take payments and make refunds;</li>
        <li>to keep accounts safe and to meet our legal duties.</li>
      </ul>
      <p>We do not use your information for advertising, and we do not sell it.</p>

      <h2>Who sees it</h2>
      <p>
        Your family's records are seen by you and by the consultant. We share something with a school, a doctor or
        another provider only when you ask us to or agree to it. Companies that run the site for us, such as hosting and
        card payment, may handle data only on our instructions. We also share what the law requires us to share, for
        example to protect a child from serious harm.
      </p>

      <h2>Video appointments</h2>
      <p>
        Live video appointments run directly between your device and the consultant's wherever the network allows it. We
        do not record them.
      </p>
      {stunHosts && (
        <p>
          Before that, each device asks {stunHosts} for its own network address. These servers learn that address, and
          nothing of what you say or show.
        </p>
      )}

      <h2>Cookies</h2>
      <p>
        We set two cookies when you sign in. One holds a random number that keeps you signed in and nothing else. The
        other knows this device for a year and names nobody, so that a stranger who guesses passwords elsewhere can't
        lock you out; on a device that is not yours we don't set it. Where you also type a code, one more lasts ten
        minutes; where you use a passkey, one lasts five. If you choose larger text or calmer colors without signing in,
        a cookie remembers that choice for a year. If your sign-in runs out while you fill in a form, or we ask for your
        password once more, a cookie lets you get back what you typed for an hour. There are no advertising or tracking
        cookies.
      </p>

      <h2>How we protect it</h2>
      <p>
        Connections to the site are encrypted. Each family's records are open only to that family and to the consultant.
        Sessions end by themselves after a time without use. No system is perfect: if something goes wrong with your
        health information, our <a href="/hipaa-compliance">HIPAA page</a> says how and when we tell you.
      </p>

      <h2>How long we keep it</h2>
      <p>
        We keep your records while we work together and afterwards for as long as the law or a sound defense of your
        child's rights requires. Documents that you delete are removed from our storage. A form that you begin and do
        not send is kept for {DRAFT_RETENTION_DAYS} days after you last saved it, so that you can continue with it. Then
        it is deleted.
      </p>
      <p>
        When you delete your account, you have{" "}
        {graceDays === 0 ? "no days to change your mind" : "some days to change your mind; the page says how many"}.
        Then everything about you and your child is deleted from our records, papers and notes too. Three things stay
        because the law asks for them: records of payments (number, date, service and amount, without your name), a log
        of who opened and changed records, which has numbers and times and no names, and that a request about privacy or
        accessibility, or a mistake with your records, was dealt with, with its days and how it ended and none of your
        words. Locked backup copies keep it until newer ones have taken their place; if one is ever used, you are
        deleted from it again.
      </p>

      <h2>Children</h2>
      <p>
        Accounts are for parents, guardians and other adults. What we hold about a child comes from the adults who care
        for that child.
      </p>

      <h2>Your choices and rights</h2>
      <p>
        Signed in, you download everything we hold about you, or delete your account, under Account Settings, Your data.
        You can also ask us at any time to:
      </p>
      <ul>
        <li>show you what we hold about you and your child, and give you a copy;</li>
        <li>correct what is wrong;</li>
        <li>delete what we no longer have to keep;</li>
        <li>limit how we use or share it.</li>
      </ul>
      <p>
        <strong>We respond to privacy requests within 30 days.</strong> Asking costs nothing and never changes how we
        treat you.
      </p>

      <h2>Changes</h2>
      <p>
        When we change the words of this policy, their date at the top changes, and every page of your account asks you
        to read it and agree again. Which servers a video visit asks, and whether there are days to change your mind,
        stand here as they are at the moment. If a change matters to you, we tell you before it takes effect.
      </p>

      <LegalContact about="For any privacy question or request, call or write to us." />
    </LegalPage>
  );
}
