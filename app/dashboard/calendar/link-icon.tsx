import { createIcon } from "../../ui/icons.tsx";

/** Marks a visit by meeting link. Only the calendar shows it, so it is not among the icons that every page loads. */
export const LinkIcon = createIcon(
  <path d="M10 14a4.25 4.25 0 0 0 6 0l3.25-3.25a4.25 4.25 0 0 0-6-6L11.5 6.5M14 10a4.25 4.25 0 0 0-6 0l-3.25 3.25a4.25 4.25 0 0 0 6 6l1.75-1.75" />,
);
