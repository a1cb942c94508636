/** Shows the terms that a person agrees to by creating an account. The version is stored with the account. */
export function TermsAgreement() {
  return (
    <p>
      By creating an account, you agree to our <a href="/terms-of-service">Terms of Service</a> and our{" "}
      <a href="/privacy-policy">Privacy Policy</a>.
    </p>
  );
}
