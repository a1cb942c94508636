import type { ReactNode } from "react";
import { Form } from "react-router";
import { Button, LinkButton } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

type ConfirmDialogProps = {
  title: string;
  /** The thing itself, by its name. */
  subject: ReactNode;
  /** More of the thing, or what it costs, as a paragraph of its own. */
  details?: ReactNode;
  /** What follows from it, and who hears of it. */
  consequence: ReactNode;
  /** What else would help, with a link to it. */
  alternative?: ReactNode;
  confirmText: string;
  busyText?: string;
  cancelText: string;
  closeTo: string;
  danger?: boolean;
  /** Hidden fields, or a failure to be read first. */
  children?: ReactNode;
};

/** Asks once before something that can't be taken back. The safe choice has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    title,
    subject,
    details,
    consequence,
    alternative,
    confirmText,
    busyText,
    cancelText,
    closeTo,
    danger = true,
    children,
  } = props;
  return (
    <Dialog title={title} description={subject} closeTo={closeTo}>
      <Form method="post" className="space-y-4" preventScrollReset>
        {children}
        {details && <p className="wrap-anywhere">{details}</p>}
        <p>{consequence}</p>
        {alternative && <p className="notice">{alternative}</p>}
        <div className="flex flex-wrap gap-3 pt-2">
          <LinkButton to={closeTo} preventScrollReset data-first-focus>
            {cancelText}
          </LinkButton>
          <Button variant={danger ? "danger" : "primary"} busyText={busyText}>
            {confirmText}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
