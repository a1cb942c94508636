import { data } from "react-router";
import type { PageHandle } from "../ui/page-handle.ts";
import { HttpErrorStatusPage } from "./error-page.tsx";

export const handle: PageHandle = { unhydrated: true };

export function loader() {
  return data(null, { status: 404 });
}

export default function NotFound() {
  return <HttpErrorStatusPage status={404} />;
}
