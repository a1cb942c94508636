import { Outlet } from "react-router";
import { familyOnlyMiddleware } from "./guards.server.ts";

export const middleware = [familyOnlyMiddleware];

export const loader = () => null;

export default function FamilyOnlyLayout() {
  return <Outlet />;
}
