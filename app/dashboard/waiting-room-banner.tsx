import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { useSite } from "../practice/site.ts";
import { updatePreservingFocusAndScroll } from "./update-preserving-focus-and-scroll.ts";
import { LinkButton } from "../ui/button.tsx";
import { formatTimeWithZone } from "../ui/format-date-time.ts";
import { VideoIcon } from "../ui/icons.tsx";
import { useTopDialog } from "../ui/top-dialog.ts";
import type { WaitingRoomBannerFamily } from "./waiting-room-provider.tsx";

type WaitingRoomBannerProps = {
  families: readonly WaitingRoomBannerFamily[];
  /** Whether the server-rendered page already contained the notices. */
  isInDocument: boolean;
};

/** Shows the waiting families in the page, and also in a dialog that covers it. */
export default function WaitingRoomBanner({ families, isInDocument }: WaitingRoomBannerProps) {
  const { timeZone } = useSite().practice;
  const container = useDialogContainer(useTopDialog());
  const [shown, setShown] = useState(isInDocument ? families : []);

  // The notices are added above all content. In the effect itself React can't update the page at once.
  useEffect(() => queueMicrotask(() => updatePreservingFocusAndScroll(() => setShown(families))), [families]);

  const notices = shown.map(({ id, name, title, start }) => (
    <div key={id} className="notice">
      <p className="min-w-0 wrap-anywhere">
        <strong>{name} is waiting for you.</strong>{" "}
        <span className="waiting-visit">
          {title}, {formatTimeWithZone(start, timeZone)}
        </span>
      </p>
      <LinkButton to={`/video-call/${id}`}>
        <VideoIcon /> Join call now<span className="sr-only"> with {name}</span>
      </LinkButton>
    </div>
  ));
  return (
    <>
      {notices}
      {container && createPortal(notices, container)}
    </>
  );
}

/** Returns an element at the beginning of a dialog, because a portal would append; null without a dialog. */
function useDialogContainer(dialog: HTMLElement | null): HTMLElement | null {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (!dialog) return;
    const element = document.createElement("div");
    element.className = "waiting-banner";
    // The element is added before its content, so that screen readers announce the content.
    element.role = "status";
    dialog.prepend(element);
    setPlace(element);
    return () => {
      setPlace(null);
      element.remove();
    };
  }, [dialog]);
  return place;
}
