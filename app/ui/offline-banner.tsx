import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import {
  ONLINE_AGAIN_MESSAGE,
  withOnlineMessageAutoHide,
  UNREACHABLE_MESSAGE,
  RETRYING_MESSAGE,
  installOfflineHandling,
} from "./behaviors/offline-handling.ts";
import { hideFromTopLayer, showInTopLayer } from "./top-layer.ts";
import { installRetryingFetch } from "./retrying-fetch.ts";
import { useTopDialog } from "./top-dialog.ts";

/** Shows when the connection is lost and restored; empty before that. */
export function OfflineBanner() {
  const banner = useRef<HTMLParagraphElement>(null);
  const [text, setText] = useState<string | null>(null);
  const dialog = useTopDialog();
  useEffect(() => {
    const show = withOnlineMessageAutoHide(setText);
    const uninstallOfflineHandling = installOfflineHandling(show);
    const uninstallFetch = installRetryingFetch({
      onSubmitFailed: () => show(UNREACHABLE_MESSAGE),
      onRetry: () => show(RETRYING_MESSAGE),
      onRecovered: () => show(ONLINE_AGAIN_MESSAGE),
    });
    return () => {
      uninstallOfflineHandling();
      uninstallFetch();
    };
  }, []);
  useEffect(() => {
    const bannerElement = banner.current;
    if (!bannerElement) return;
    if (text === null) hideFromTopLayer(bannerElement);
    else showInTopLayer(bannerElement);
  }, [text, dialog]);

  const region = (
    <div role="status" className="connection">
      <p ref={banner} className="connection-line" data-connection>
        {text}
      </p>
    </div>
  );
  return dialog ? createPortal(region, dialog) : region;
}
