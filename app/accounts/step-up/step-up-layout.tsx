import { Outlet } from "react-router";
import { recentAuthenticationMiddleware } from "./recent-authentication.server.ts";

export const middleware = [recentAuthenticationMiddleware];

export const loader = () => null;

export default function StepUpLayout() {
  return <Outlet />;
}
