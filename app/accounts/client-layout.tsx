import { Outlet } from "react-router";
import { requireClient } from "./guards.server.ts";

export const middleware = [requireClient];

export const loader = () => null;

export default function ClientLayout() {
  return <Outlet />;
}
