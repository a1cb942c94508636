import { Outlet } from "react-router";
import type { PageHandle } from "../ui/page-handle.ts";

/** The layout of pages that are complete as HTML: React is not loaded on them. */
export const handle: PageHandle = { unhydrated: true };

export default function UnhydratedLayout() {
  return <Outlet />;
}
