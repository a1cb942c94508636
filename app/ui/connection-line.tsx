import { useEffect, useRef } from "react";
import { watchConnection } from "./enhance-connection.ts";

/** Where a page says that the connection is lost, and that it is back. Empty until then. */
export function ConnectionLine() {
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => (line.current ? watchConnection(line.current) : undefined), []);
  return (
    <div role="status">
      <p ref={line} className="connection-line" data-connection />
    </div>
  );
}
