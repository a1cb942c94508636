import { env } from "../env.server.ts";

/**
 * What the paying page, and no other, may load from the provider: its script, the frames of the card form and of the
 * bank's question (3-D Secure), and where they send. Square: https://developer.squareup.com/docs/web-payments/content-security-policy
 */
export function payingSources(): Record<string, string[]> {
  if (env.payments !== "square") return {};
  const isProduction = env.square.environment === "production";
  const web = isProduction ? "https://web.squarecdn.com" : "https://sandbox.web.squarecdn.com";
  const host = isProduction ? "squareup.com" : "squareupsandbox.com";
  const bank = ["https://geoissuer.cardinalcommerce.com", "https://*.cardinalcommerce.com"];
  return {
    "script-src": [web],
    "style-src": [web],
    "img-src": [web],
    "font-src": ["https://square-fonts-production-f.squarecdn.com", "https://d1g145x70srn7h.cloudfront.net"],
    "connect-src": [web, `https://connect.${host}`, `https://pci-connect.${host}`],
    "frame-src": [web, `https://connect.${host}`, `https://api.${host}`, ...bank],
    "form-action": bank,
  };
}
