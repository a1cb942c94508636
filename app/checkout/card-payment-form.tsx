import { type FormEvent, useEffect, useRef, useState } from "react";
import { Form, useNavigation, useSubmit } from "react-router";
import { useCardForm } from "../payments/use-card-form.ts";
import { tokenizeCard } from "../payments/card-form.ts";
import type { GatewayConfig } from "../payments/payment-gateway.ts";
import { Button } from "../ui/button.tsx";
import { formatCents } from "../ui/format-currency.ts";
import { showToast } from "../ui/toast.ts";

type CardPaymentProps = {
  config: GatewayConfig;
  cents: number;
  /** The idempotency key, identical for repeated submits of one payment. */
  paymentKey: string;
  /** The version of the booking that the page shows. */
  version: string;
  /** Called when an attempt begins. */
  onAttempt: () => void;
};

/** Shows the provider's card form if it can be loaded, with the provider's hosted page as the alternative. */
export function CardPaymentForm({ config, cents, paymentKey, version, onAttempt }: CardPaymentProps) {
  const { containerRef, cardFormRef, state } = useCardForm(config);
  const [error, setError] = useState<string | null>(null);
  const errorRef = useRef<HTMLParagraphElement>(null);
  const [isTokenizing, setTokenizing] = useState(false);
  const submit = useSubmit();
  const navigation = useNavigation();
  const isBusy = isTokenizing || navigation.state !== "idle";
  const isSubmitting = navigation.formData?.get("intent") === "card";
  const amount = formatCents(cents);
  useEffect(() => {
    if (state === "failed") showErrorToast("Payment System Error", "Failed to initialize payment system");
  }, [state]);
  useEffect(() => {
    if (!error) return;
    // The provider's fields are in its frame, so often none of them can be focused from here.
    const field = containerRef.current?.querySelector<HTMLElement>("[aria-invalid=true]") ?? errorRef.current;
    field?.focus();
    errorRef.current?.scrollIntoView({ block: "nearest" });
  }, [error, containerRef]);

  async function pay(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    if (isBusy) return;
    setError(null);
    onAttempt();
    if (!cardFormRef.current) return showFailure("Payment Error", "Payment system not ready");
    setTokenizing(true);
    const openForm = cardFormRef.current;
    const tokenized = await withNonModalDialog(form, () => tokenizeCard(openForm, (cents / 100).toFixed(2)));
    setTokenizing(false);
    if ("failureMessage" in tokenized)
      return showFailure(tokenized.isIncomplete ? null : "Payment Failed", tokenized.failureMessage);
    const fields = new FormData(form);
    fields.set("sourceId", tokenized.token);
    await submit(fields, { method: "post", preventScrollReset: true });
  }

  function showFailure(title: string | null, description: string) {
    setError(description);
    if (title) showErrorToast(title, description);
  }

  return (
    <>
      <Form method="post" className="scripted grid gap-4" noValidate onSubmit={(event) => void pay(event)}>
        <input type="hidden" name="intent" value="card" />
        <input type="hidden" name="key" value={paymentKey} />
        <input type="hidden" name="cents" value={cents} />
        <input type="hidden" name="version" value={version} />
        {state === "loading" && <p>Loading the card form…</p>}
        {error && (
          <p role="alert" className="field-error" tabIndex={-1} ref={errorRef}>
            {error}
          </p>
        )}
        <div role="group" aria-label="Card" hidden={state !== "ready"} ref={containerRef} />
        <p role="status" className="empty:sr-only">
          {(isTokenizing || isSubmitting) && "Asking your bank… Please don't close this page."}
        </p>
        <Button
          variant="primary"
          className="justify-self-start"
          hidden={state === "failed"}
          aria-disabled={isBusy || undefined}
        >
          {isTokenizing || isSubmitting ? "Processing..." : `Pay ${amount}`}
        </Button>
        <p className="hint" hidden={state === "failed"}>
          Your card number goes to the card provider alone, over a secure connection; we never see it. We charge{" "}
          {amount} once, when your time is confirmed: if no answer comes, pressing again can&apos;t charge you twice.
          Then you&apos;ll see how to join, and your receipt.
        </p>
      </Form>
      <h3 className="scripted text-xl" hidden={state === "failed"}>
        Other ways to pay
      </h3>
      <Form method="post" className="grid gap-2 justify-items-start" onSubmit={onAttempt}>
        <input type="hidden" name="version" value={version} />
        {state === "failed" && (
          <p className="scripted">
            The card form could not be loaded here. You can pay on the card provider&apos;s own page and come back.
          </p>
        )}
        <div className="unscripted grid gap-2 justify-items-start">
          <p>
            You pay on the card provider&apos;s own page; it brings you back here. We charge {amount} once, when your
            time is confirmed.
          </p>
          <Button name="intent" value="hosted" variant="primary">
            Pay {amount} on the provider&apos;s page
          </Button>
        </div>
        <Button
          name="intent"
          value="hosted"
          className="scripted"
          variant={state === "failed" ? "primary" : "secondary"}
          busyText="One moment…"
          aria-disabled={isBusy}
        >
          Pay {amount} on the provider&apos;s page
        </Button>
      </Form>
    </>
  );
}

function showErrorToast(title: string, description: string) {
  showToast({ title, description, style: "destructive" });
}

/**
 * Shows the dialog non-modally during `run`: 3-D Secure opens outside the dialog, which blocks the rest of the page
 * while modal.
 */
async function withNonModalDialog<T>(form: HTMLFormElement, run: () => Promise<T>): Promise<T> {
  const dialog = form.closest("dialog");
  dialog?.close();
  dialog?.show();
  try {
    return await run();
  } finally {
    if (dialog?.isConnected) {
      dialog.close();
      dialog.showModal();
    }
  }
}
