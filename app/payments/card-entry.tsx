import { type RefObject, useEffect, useRef, useState } from "react";
import { type CardForm, openCardForm } from "./card-form.ts";
import type { PublicConfig } from "./gateway.ts";

export type CardState = "loading" | "ready" | "failed";

/** The provider's card form, once it is there; what is typed in it never reaches us. */
export function useCardForm({ scriptUrl, applicationId, locationId, environment }: PublicConfig): {
  box: RefObject<HTMLDivElement | null>;
  card: RefObject<CardForm | null>;
  state: CardState;
} {
  const box = useRef<HTMLDivElement>(null);
  const card = useRef<CardForm>(null);
  const [state, setState] = useState<CardState>("loading");
  useEffect(() => {
    if (!box.current || reloadedForPolicy()) return;
    let isLeft = false;
    const config = { scriptUrl, applicationId, locationId, environment };
    openInto(box.current, config).catch(() => {
      if (!isLeft) setState("failed");
    });
    return () => {
      isLeft = true;
      void card.current?.destroy();
      card.current = null;
    };

    async function openInto(container: HTMLElement, given: PublicConfig) {
      const form = await openCardForm(given, container);
      if (isLeft) {
        await form.destroy();
        return;
      }
      card.current = form;
      setState("ready");
    }
  }, [scriptUrl, applicationId, locationId, environment]);
  return { box, card, state };
}

/** Whoever came here without loading the page has the policy of another page, under which the script can't run. */
function reloadedForPolicy(): boolean {
  const [loaded] = performance.getEntriesByType("navigation");
  if (!loaded || new URL(loaded.name).pathname === window.location.pathname) return false;
  window.location.reload();
  return true;
}
