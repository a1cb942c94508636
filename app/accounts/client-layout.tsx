import { Outlet } from "react-router";
import { clientMiddleware } from "./guards.server.ts";

export const middleware = [clientMiddleware];

export const loader = () => null;

export default function ClientLayout() {
  return <Outlet />;
}
