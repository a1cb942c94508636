import { Outlet } from "react-router";
import type { PageHandle } from "../ui/page-handle.ts";

/** Everything below is a document: complete as the server sends it. */
export const handle: PageHandle = { static: true };

export default function PublicLayout() {
  return <Outlet />;
}
