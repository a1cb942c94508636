import { type RefObject, useEffect, useRef, useState } from "react";
import { type CardForm, openCardForm } from "./card-form.ts";
import type { GatewayConfig } from "./payment-gateway.ts";

export type CardFormState = "loading" | "ready" | "failed";

/** Opens the provider's card form in `containerRef`. Card data stays in the provider's frame. */
export function useCardForm({ scriptUrl, applicationId, locationId, environment }: GatewayConfig): {
  containerRef: RefObject<HTMLDivElement | null>;
  cardFormRef: RefObject<CardForm | null>;
  state: CardFormState;
} {
  const containerRef = useRef<HTMLDivElement>(null);
  const cardFormRef = useRef<CardForm>(null);
  const [state, setState] = useState<CardFormState>("loading");
  useEffect(() => {
    if (!containerRef.current || reloadIfCspIsStale()) return;
    let isUnmounted = false;
    const config = { scriptUrl, applicationId, locationId, environment };
    attachForm(containerRef.current, config).catch(() => {
      if (!isUnmounted) setState("failed");
    });
    return () => {
      isUnmounted = true;
      void cardFormRef.current?.destroy();
      cardFormRef.current = null;
    };

    async function attachForm(container: HTMLElement, publicConfig: GatewayConfig) {
      const form = await openCardForm(publicConfig, container);
      if (isUnmounted) {
        await form.destroy();
        return;
      }
      cardFormRef.current = form;
      setState("ready");
    }
  }, [scriptUrl, applicationId, locationId, environment]);
  return { containerRef, cardFormRef, state };
}

/**
 * Reloads the page after a client-side navigation, because the document still has the CSP of another page, which blocks
 * the script.
 */
function reloadIfCspIsStale(): boolean {
  const [loaded] = performance.getEntriesByType("navigation");
  if (!loaded || new URL(loaded.name).pathname === window.location.pathname) return false;
  window.location.reload();
  return true;
}
