import { type ComponentProps, type MouseEvent, type ReactNode, useEffect, useState } from "react";
import { Link, type LinkProps, useNavigation } from "react-router";

export type ButtonVariant = "primary" | "secondary" | "danger" | "quiet";

type ButtonProps = ComponentProps<"button"> & {
  variant?: ButtonVariant;
  /** Shown while the submission of this button is pending. */
  busyText?: string;
};

/**
 * A button; `primary` is for the main action of a screen. Clicks are ignored while the submission is pending, or with
 * `aria-disabled`, which keeps the focus, unlike `disabled`.
 */
export function Button({
  variant = "secondary",
  type = "submit",
  busyText,
  className,
  children,
  onClick,
  "aria-disabled": isDisabled,
  ...rest
}: ButtonProps) {
  const isNavigating = useNavigation().state !== "idle";
  const [isPressed, setPressed] = useState(false);
  const isBusy = isPressed && isNavigating;
  useEffect(() => {
    if (!isNavigating) setPressed(false);
  }, [isNavigating]);

  function handleClick(event: MouseEvent<HTMLButtonElement>) {
    if (isBusy || isDisabled) return event.preventDefault();
    if (type === "submit") setPressed(true);
    onClick?.(event);
  }

  return (
    <button
      {...rest}
      type={type}
      className={buttonClass(variant, className)}
      aria-disabled={isBusy || isDisabled || undefined}
      onClick={handleClick}
    >
      {isBusy && busyText ? busyText : children}
    </button>
  );
}

type LinkButtonProps = {
  variant?: ButtonVariant;
  className?: string;
  children: ReactNode;
} & (({ to: LinkProps["to"] } & Omit<LinkProps, "to">) | ({ href: string; to?: never } & ComponentProps<"a">));

/** A link that looks like a button. `to` navigates on the client, `href` loads a document. */
export function LinkButton({ variant = "secondary", className, children, ...rest }: LinkButtonProps) {
  const classes = buttonClass(variant, className);
  if (rest.to === undefined) {
    return (
      <a {...rest} className={classes}>
        {children}
      </a>
    );
  }
  return (
    <Link {...rest} className={classes}>
      {children}
    </Link>
  );
}

function buttonClass(variant: ButtonVariant, className = "") {
  return `button button-${variant} ${className}`.trim();
}
