import type { PageHandle } from "../../ui/page-handle.ts";
import { LegalContact, LegalPage } from "./legal-page.tsx";

export const handle: PageHandle = { unhydrated: true, cache: true };

export default function HipaaCompliance() {
  return (
    <LegalPage
      title="HIPAA Compliance"
      summary="How we protect your family's health information, what you can ask of us, and that we tell you within 60 days if it was ever exposed."
    >
      <h2>What HIPAA is</h2>
      <p>
        HIPAA is the Health Insurance Portability and Accountability Act, a United States law. It sets rules for keeping
        health information private. Health information that can be linked to a person is called protected health
        information.
      </p>

      <h2>What we hold that is protected</h2>
      <ul>
        <li>a diagnosis, evaluation or therapy report that you share with us;</li>
        <li>what you write about your child's health in the intake form or in a message;</li>
        <li>notes about appointments and about care that we help to coordinate;</li>
        <li>names, birthdays, addresses and other details that link any of this to your family.</li>
      </ul>

      <h2>How we use and share it</h2>
      <p>
        We use it to advise you, to prepare for meetings and to coordinate with the people who help your child. We share
        it with schools, doctors, insurers or others only with your permission, or where the law requires it. We share
        no more than the purpose needs. We never sell it and never use it for marketing.
      </p>

      <h2>How we protect it</h2>
      <ul>
        <li>
          <strong>People:</strong> only the consultant who works with you has access. Anyone who runs systems for us is
          bound to the same care.
        </li>
        <li>
          <strong>Technology:</strong> encrypted connections, personal accounts, passwords stored only in scrambled
          form, sessions that end after a time without use, and files that only your family and the consultant can open.
        </li>
        <li>
          <strong>Places:</strong> paper and devices are kept locked when they are not in use.
        </li>
      </ul>

      <h2>Your rights</h2>
      <p>You have the right to:</p>
      <ul>
        <li>see your information and get a copy of it;</li>
        <li>ask us to correct it;</li>
        <li>ask whom we shared it with;</li>
        <li>ask us to limit how we use or share it;</li>
        <li>ask us to contact you in a certain way, for example only by phone;</li>
        <li>get this notice on paper.</li>
      </ul>
      <p>We respond to such requests within 30 days.</p>

      <h2>If something goes wrong</h2>
      <p>
        If your protected health information is ever seen or taken by someone who should not have it, we notify you
        without delay and <strong>no later than 60 days</strong> after we find out. The notice says what happened, which
        information was involved, what we are doing about it, and what you can do to protect yourself. Where the law
        requires it, we also notify the U.S. Department of Health and Human Services.
      </p>

      <h2>Complaints</h2>
      <p>
        If you think your privacy was not respected, tell us first if you can. You can also complain to the U.S.
        Department of Health and Human Services, Office for Civil Rights. We never hold a complaint against you.
      </p>

      <LegalContact about="To use any of these rights, or to ask a question about this page, call or write to us." />
    </LegalPage>
  );
}
