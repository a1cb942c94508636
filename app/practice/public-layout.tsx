import { Outlet } from "react-router";
import type { PageHandle } from "../ui/page-handle.ts";

/** The layout of static pages, which are complete as the server sends them. */
export const handle: PageHandle = { unhydrated: true };

export default function PublicLayout() {
  return <Outlet />;
}
