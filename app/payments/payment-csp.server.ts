import { env } from "../env.server.ts";
import { squareScriptOrigin } from "./square-script-url.ts";

/**
 * Returns the provider's CSP sources for the payment page: its script, and the frames of the card form and of 3-D
 * Secure. Source: https://developer.squareup.com/docs/web-payments/content-security-policy
 */
export function paymentCspSources(): Record<string, string[]> {
  if (env.payments !== "square") return {};
  const isProduction = env.square.environment === "production";
  const sdkOrigin = squareScriptOrigin(env.square.environment);
  const squareDomain = isProduction ? "squareup.com" : "squareupsandbox.com";
  const bankOrigins = ["https://geoissuer.cardinalcommerce.com", "https://*.cardinalcommerce.com"];
  return {
    "script-src": [sdkOrigin],
    "style-src": [sdkOrigin],
    "img-src": [sdkOrigin],
    "font-src": ["https://square-fonts-production-f.squarecdn.com", "https://d1g145x70srn7h.cloudfront.net"],
    "connect-src": [sdkOrigin, `https://connect.${squareDomain}`, `https://pci-connect.${squareDomain}`],
    "frame-src": [sdkOrigin, `https://connect.${squareDomain}`, `https://api.${squareDomain}`, ...bankOrigins],
    "form-action": bankOrigins,
  };
}
