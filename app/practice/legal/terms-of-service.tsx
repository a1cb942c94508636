import type { PageHandle } from "../../ui/page-handle.ts";
import { LegalContact, LegalPage } from "./legal-page.tsx";

export const handle: PageHandle = { unhydrated: true, cache: true };

export default function TermsOfService() {
  return (
    <LegalPage
      title="Terms of Service"
      summary="What we offer, when you pay, what comes back when you cancel, and how either of us can end our work together."
    >
      <h2>Who these terms are between</h2>
      <p>
        These terms are an agreement between you and the practice named above, in Long Branch, New Jersey. You accept
        them when you create an account; when they change, we ask you to accept them again.
      </p>

      <h2>What we do, and what we don't</h2>
      <p>
        We advise and advocate for families raising children with special needs: IEP and educational advocacy, medical
        coordination and home management strategies. We are not a law firm, and we do not give medical care. Nothing on
        this site or in an appointment replaces the advice of a lawyer or a doctor. We can't promise what a school, an
        insurer or another provider will decide.
      </p>

      <h2>Your account</h2>
      <p>
        Give us accurate details, and keep them up to date. Keep your password to yourself. Tell us right away if you
        think someone else is using your account.
      </p>

      <h2>Services and prices</h2>
      <ul>
        <li>Initial Consultation: $50</li>
        <li>Advocacy Partner Package: $250</li>
        <li>Hourly Consulting: contact for pricing</li>
        <li>Starter Support Package: contact for pricing</li>
        <li>Monthly Retainer: contact for pricing</li>
        <li>Add-On Services: contact for pricing</li>
      </ul>
      <p>
        <strong>The price shown when you book is the one you are charged,</strong> also where it differs from this list.
      </p>

      <h2>Payment</h2>
      <ul>
        <li>Payment is due at booking.</li>
        <li>The monthly retainer is charged automatically each month until it is ended.</li>
        <li>Card payments are handled by our payment provider. We do not store card numbers.</li>
      </ul>

      <h2>Cancellations and missed appointments</h2>
      <ul>
        <li>With 24 or more hours notice: a full refund, or a new time.</li>
        <li>With less than 24 hours notice: a 50% fee.</li>
        <li>If you do not come and did not cancel (a no-show): the full price is charged.</li>
        <li>Emergencies are reviewed case by case. Please tell us what happened.</li>
      </ul>

      <h2>What we ask of you</h2>
      <ul>
        <li>Fill in the intake form before your first appointment, so that our time goes to your child.</li>
        <li>Share the letters and reports that matter, and only files that you have the right to share.</li>
        <li>Use the site lawfully, and do not try to reach what belongs to other families.</li>
      </ul>

      <h2>Privacy</h2>
      <p>
        Our <a href="/privacy-policy">Privacy Policy</a> and our <a href="/hipaa-compliance">HIPAA page</a> say how we
        protect what you tell us. We respond to privacy requests within 30 days.
      </p>

      <h2>Ending our work together</h2>
      <p>
        Either of us can end an ongoing service with 30 days written notice. What was booked and held before the end is
        paid as agreed; what was paid for and not yet held is returned.
      </p>

      <h2>Responsibility</h2>
      <p>
        We work with care. As far as the law allows, we are not liable for decisions of schools, insurers or other
        providers, and our liability for any one service is limited to what you paid for it. Nothing here limits rights
        that the law gives you and that can't be given up.
      </p>

      <h2>Law and changes</h2>
      <p>
        The laws of the State of New Jersey apply. When we change the words of these terms, their date at the top
        changes, and every page of your account asks you to read them and agree again; bookings made before keep the
        terms they were made under.
      </p>

      <LegalContact about="Questions about these terms are welcome before you book." />
    </LegalPage>
  );
}
