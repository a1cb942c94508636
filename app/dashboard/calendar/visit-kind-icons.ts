import type { VisitKind } from "../../booking/visit-kind.ts";
import { PersonIcon, VideoIcon } from "../../ui/icons.tsx";
import { LinkIcon } from "./link-icon.tsx";

/** The calendar's mark of each kind of visit. The legend of the month names them. */
export const VISIT_KIND_ICONS: Record<VisitKind, typeof VideoIcon> = {
  video: VideoIcon,
  link: LinkIcon,
  "in-person": PersonIcon,
};
