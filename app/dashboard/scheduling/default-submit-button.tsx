/** Comes first in the form because Enter activates the first button, which must not be the confirmation. */
export function DefaultSubmitButton() {
  return <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only" />;
}
