import type { ReactNode } from "react";
import { Form } from "react-router";
import { Button, LinkButton } from "./button.tsx";
import { RouteDialog } from "./route-dialog.tsx";

type ConfirmDialogProps = {
  title: string;
  /** Name of the record that the action affects. */
  subject: ReactNode;
  /** Further details or costs, as a paragraph. */
  details?: ReactNode;
  /** What the action changes, and who is notified. */
  consequence: ReactNode;
  /** An alternative, with a link to it. */
  alternative?: ReactNode;
  confirmText: string;
  busyText?: string;
  cancelText: string;
  closeTo: string;
  /** The URL to which the form is submitted, if not the page itself. */
  action?: string;
  isDestructive?: boolean;
  /** Hidden fields, or an error message above the buttons. */
  children?: ReactNode;
};

/** Asks for confirmation before an irreversible action. The safe choice has the initial focus. */
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
    action,
    isDestructive = true,
    children,
  } = props;
  return (
    <RouteDialog title={title} description={subject} closeTo={closeTo}>
      <Form method="post" action={action} className="space-y-4" preventScrollReset>
        {children}
        {details && <p className="wrap-anywhere">{details}</p>}
        <p>{consequence}</p>
        {alternative && <p className="notice">{alternative}</p>}
        <div className="flex flex-wrap gap-3 pt-2">
          <LinkButton to={closeTo} preventScrollReset data-first-focus>
            {cancelText}
          </LinkButton>
          <Button variant={isDestructive ? "danger" : "primary"} busyText={busyText}>
            {confirmText}
          </Button>
        </div>
      </Form>
    </RouteDialog>
  );
}
