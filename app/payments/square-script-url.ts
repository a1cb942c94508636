type SquareEnvironment = "production" | "sandbox";

/** Returns the origin from which Square serves the card form's script, styles, images and frames. */
export function squareScriptOrigin(environment: SquareEnvironment): string {
  return environment === "production" ? "https://web.squarecdn.com" : "https://sandbox.web.squarecdn.com";
}

/** Returns the URL of the card form's script, which the payment page loads. */
export function squareScriptUrl(environment: SquareEnvironment): string {
  return `${squareScriptOrigin(environment)}/v1/square.js`;
}
