/**
 * Must be the first button of the form: Enter activates the first button, which must not be the confirmation button.
 */
export function DefaultSubmitButton() {
  return <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only" />;
}
