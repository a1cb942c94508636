import { Outlet } from "react-router";
import { adminMiddleware } from "./guards.server.ts";

export const middleware = [adminMiddleware];

export const loader = () => null;

export default function AdminLayout() {
  return <Outlet />;
}
