import { Outlet } from "react-router";
import { adminOnly } from "./guards.server.ts";

export const middleware = [adminOnly];

export const loader = () => null;

export default function AdminLayout() {
  return <Outlet />;
}
