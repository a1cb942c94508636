import { data } from "react-router";
import type { PageHandle } from "../ui/document.ts";
import { TroublePage } from "./error-page.tsx";

export const handle: PageHandle = { document: true };

export function loader() {
  return data(null, { status: 404 });
}

export default function NotFound() {
  return <TroublePage status={404} />;
}
