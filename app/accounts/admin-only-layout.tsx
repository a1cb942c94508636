import { Outlet } from "react-router";
import { adminOnlyMiddleware } from "./guards.server.ts";

export const middleware = [adminOnlyMiddleware];

export const loader = () => null;

export default function AdminOnlyLayout() {
  return <Outlet />;
}
