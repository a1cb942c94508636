import { Outlet } from "react-router";
import { requireAdmin } from "./guards.server.ts";

export const middleware = [requireAdmin];

export const loader = () => null;

export default function AdminLayout() {
  return <Outlet />;
}
