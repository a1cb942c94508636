import { env } from "../env.server.ts";

/**
 * What the paying page, and no other, may load from the provider: its script, the frames of the card form and of the
 * bank's question (3-D Secure), and where they send. Square: https://developer.squareup.com/docs/web-payments/content-security-policy
 */
export function paymentCspSources(): Record<string, string[]> {
  if (env.payments !== "square") return {};
  const isProduction = env.square.environment === "production";
  const sdkOrigin = isProduction ? "https://web.squarecdn.com" : "https://sandbox.web.squarecdn.com";
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
