import { Outlet } from "react-router";
import { clientOnly } from "./guards.server.ts";

export const middleware = [clientOnly];

export const loader = () => null;

export default function ClientLayout() {
  return <Outlet />;
}
