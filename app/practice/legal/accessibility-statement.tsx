import type { PageHandle } from "../../ui/page-handle.ts";
import { LegalContact, LegalPage } from "./legal-page.tsx";

export const handle: PageHandle = { unhydrated: true, cache: true };

export default function AccessibilityStatement() {
  return (
    <LegalPage
      title="Accessibility"
      summary="This site should work for everyone. If something gets in your way, tell us: we answer within 2 business days and help you by phone meanwhile."
    >
      <h2>Our aim</h2>
      <p>
        We work with families who live with disability every day. This site follows the Web Content Accessibility
        Guidelines (WCAG) 2.2 at level AA, and goes further where we can.
      </p>

      <h2>What we do</h2>
      <ul>
        <li>Everything can be used with a keyboard, and you can always see where you are.</li>
        <li>Pages have clear headings, labels and landmarks for screen readers.</li>
        <li>Text has strong contrast, in light and in dark colors. Nothing is said by color alone.</li>
        <li>Pages can be enlarged to 400% and read on a narrow screen without scrolling sideways.</li>
        <li>Buttons and links are large enough to press with an unsteady hand.</li>
        <li>If your device asks for less motion, nothing on the page moves.</li>
        <li>The site works without JavaScript, on old phones and on slow networks.</li>
        <li>Errors are listed in words, with a link to each field, and what you typed is kept.</li>
        <li>The typeface was made by the Braille Institute for people with low vision.</li>
      </ul>

      <h2>What may still be hard</h2>
      <ul>
        <li>
          Files that families and schools upload, such as scanned letters, may not be readable by a screen reader.
        </li>
        <li>Live video needs a camera, a microphone and a current browser. It has no captions of its own.</li>
        <li>The card payment form comes from our payment provider.</li>
      </ul>
      <p>
        For each of these there is another way: ask us to read a document with you, to talk by phone instead of video,
        or to take payment in person.
      </p>

      <h2>How we check</h2>
      <p>
        Each page is tested with automatic checks and by keyboard, in light and dark colors, enlarged, and without
        scripts.
      </p>

      <h2>Tell us</h2>
      <p>
        If something on this site gets in your way, please tell us which page it was and what happened.{" "}
        <strong>We respond to accessibility feedback within 2 business days.</strong> Until it is fixed, we help you by
        phone or email with whatever you wanted to do.
      </p>

      <LegalContact about="Call or write, whichever is easier for you." kind="accessibility" />
    </LegalPage>
  );
}
