import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { BACK, forAWhile, NOT_REACHED, STILL_TRYING, watchConnection } from "./enhance-connection.ts";
import { raise } from "./raise.ts";
import { steadyFetch } from "./steady-fetch.ts";
import { useTopDialog } from "./top-dialog.ts";

/** Where a page says that the connection is lost, and that it is back. Empty until then. */
export function ConnectionLine() {
  const line = useRef<HTMLParagraphElement>(null);
  const [text, setText] = useState<string | null>(null);
  const dialog = useTopDialog();
  useEffect(() => {
    const say = forAWhile(setText);
    const unwatch = watchConnection(say);
    const unsteady = steadyFetch({
      unsent: () => say(NOT_REACHED),
      waiting: () => say(STILL_TRYING),
      back: () => say(BACK),
    });
    return () => {
      unwatch();
      unsteady();
    };
  }, []);
  useEffect(() => {
    if (line.current && text !== null) raise(line.current);
  }, [text, dialog]);

  const region = (
    <div role="status" className="connection">
      <p ref={line} className="connection-line" data-connection>
        {text}
      </p>
    </div>
  );
  return dialog ? createPortal(region, dialog) : region;
}
