type SquareEnvironment = "production" | "sandbox";

/** Where Square serves the script of its card form, with its styles, pictures and frames. */
export function squareScriptOrigin(environment: SquareEnvironment): string {
  return environment === "production" ? "https://web.squarecdn.com" : "https://sandbox.web.squarecdn.com";
}

/** The script of the card form, which the paying page loads. */
export function squareScriptUrl(environment: SquareEnvironment): string {
  return `${squareScriptOrigin(environment)}/v1/square.js`;
}
