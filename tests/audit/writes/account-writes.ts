import { randomUUID } from "node:crypto";
import { confirmIdentity } from "../../support/confirm-identity.ts";
import type { Family } from "../../support/people.ts";
import { site } from "../../support/site-with-square.ts";
import {
  admin,
  adminId,
  byConsultant,
  byFamily,
  confirmedFamily,
  devon,
  expectSuccess,
  NOBODY,
  type Writes,
} from "./write.ts";

const { db, family, origin, visitor } = site;

const PASSWORDS = { newPassword: "a brand new one 7", confirmPassword: "a brand new one 7" };
const newAddress = () => `${randomUUID()}@example.com`;

/** The path of the link in the newest message of an event. */
const linkOf = async (event: string, { id }: Family) =>
  (await db.message.findFirstOrThrow({ where: { event, userId: id }, orderBy: { id: "desc" } })).secretPath ?? "";
const erase = (own: Family, password = own.password) =>
  own.request("DELETE", "/api/me", {
    headers: { Origin: origin, "Content-Type": "application/json" },
    body: JSON.stringify({ password }),
  });
async function asksForAnotherAddress(own: Family): Promise<string> {
  await confirmIdentity(own);
  await expectSuccess(own.form("/change-email", { email: newAddress() }));
  return linkOf("email-change-requested", own);
}

const ADDRESSES: Writes = {
  "email-confirmed": async () => {
    const own = await family();
    await expectSuccess(own.form("/messages", { intent: "confirm" }));
    const token = (await linkOf("confirm-email", own)).split("/").at(-1);
    const confirm = (who: Family) => who.post("/api/auth/confirm-email", { token });
    return { ...byFamily(own), act: () => expectSuccess(confirm(own)), refused: () => confirm(devon) };
  },
  "email-change-asked": async () => {
    const own = await confirmedFamily();
    await confirmIdentity(own);
    const ask = (email: string) => own.form("/change-email", { email });
    return { ...byFamily(own), act: () => expectSuccess(ask(newAddress())), refused: () => ask("no address") };
  },
  "email-changed": async () => {
    const own = await confirmedFamily();
    const token = (await asksForAnotherAddress(own)).split("/").at(-1);
    const confirm = (who: Family) => who.post("/api/auth/confirm-email", { token });
    return { ...byFamily(own), act: () => expectSuccess(confirm(own)), refused: () => confirm(devon) };
  },
  "email-change-undone": async () => {
    const own = await confirmedFamily();
    await expectSuccess(own.form(await asksForAnotherAddress(own), {}));
    const link = await linkOf("email-changed", own);
    return {
      ...byFamily(own),
      act: () => expectSuccess(visitor().form(link, {})),
      refused: () => visitor().form(`${link.slice(0, -43)}${"x".repeat(43)}`, {}),
    };
  },
  "undo-link-ended": async () => {
    const own = await confirmedFamily();
    await expectSuccess(own.form(await asksForAnotherAddress(own), {}));
    const path = `/families/${own.id}/end-undo-link`;
    const { id } = await db.emailChange.findFirstOrThrow({ where: { userId: own.id } });
    const form = { newestChange: String(id) };
    return {
      ...byConsultant(own),
      act: () => expectSuccess(admin.form(path, form)),
      refused: () => own.form(path, form),
    };
  },
  "settings-changed": async () => {
    const own = await family();
    return {
      ...byFamily(own),
      act: () => expectSuccess(own.form("/comfort", { comfort: "large" })),
      refused: () => own.request("POST", "/comfort", { headers: { Origin: "https://evil.example" } }),
    };
  },
};

const ACCOUNTS: Writes = {
  "account-made": async () => {
    const fields = { firstName: "Ana", lastName: "Ruiz", password: "rain on the roof 7" };
    const register = (email: string) => visitor().post("/api/auth/register", { ...fields, email });
    // Accounts are numbered in order, and nobody else makes one meanwhile.
    const next = (await family()).id + 1;
    return {
      actor: next,
      family: next,
      object: () => next,
      act: () => expectSuccess(register(newAddress())),
      refused: () => register("no address"),
    };
  },
  "profile-changed": async () => {
    const own = await family();
    const change = (firstName: string) => own.form("/dashboard/profile", { firstName, lastName: "Ruiz" });
    return { ...byFamily(own), act: () => expectSuccess(change("Mia")), refused: () => change("") };
  },
  "password-changed": async () => {
    const own = await family();
    const change = (currentPassword: string) =>
      own.post("/api/auth/change-password", { currentPassword, ...PASSWORDS });
    return {
      ...byFamily(own),
      act: () => expectSuccess(change(own.password)),
      refused: () => change("not the password"),
    };
  },
  "reset-link-made": async () => {
    const own = await family();
    return {
      ...byConsultant(own),
      act: () => expectSuccess(admin.form("/dashboard/reset-link", { email: own.email })),
      refused: () => devon.form("/dashboard/reset-link", { email: own.email }),
    };
  },
  "account-closed": async () => {
    const own = await family();
    const path = `/families/${own.id}/close`;
    return {
      ...byConsultant(own),
      act: () => expectSuccess(admin.form(path, {})),
      refused: () => devon.form(path, {}),
    };
  },
  "account-reopened": async () => {
    const own = await family();
    await expectSuccess(admin.form(`/families/${own.id}/close`, {}));
    const path = `/families/${own.id}/open`;
    return {
      ...byConsultant(own),
      act: () => expectSuccess(admin.form(path, {})),
      refused: () => devon.form(path, {}),
    };
  },
  "account-erasure-requested": async () => {
    const own = await confirmedFamily();
    return { ...byFamily(own), act: () => expectSuccess(erase(own)), refused: () => erase(own, "not the password") };
  },
  "account-erasure-cancelled": async () => {
    const own = await confirmedFamily();
    await expectSuccess(erase(own));
    const keep = (id: number) => admin.form(`/families/${id}/keep`, {});
    return { ...byConsultant(own), act: () => expectSuccess(keep(own.id)), refused: () => keep(NOBODY) };
  },
  "calendar-link-made": async () => {
    const own = await family();
    return {
      ...byFamily(own),
      act: () => expectSuccess(own.post("/api/calendar-feed", {})),
      refused: () => visitor().post("/api/calendar-feed", {}),
    };
  },
  "calendar-link-ended": async () => {
    const own = await family();
    await expectSuccess(own.post("/api/calendar-feed", {}));
    return {
      ...byFamily(own),
      act: () => expectSuccess(own.delete("/api/calendar-feed")),
      refused: () => visitor().delete("/api/calendar-feed"),
    };
  },
};

/** An agreement that a family of its own can sign with its name. */
async function agreement() {
  const own = await family();
  const sign = (signedName: string) =>
    own.form("/consents/recording", { intent: "sign", version: "2026-11-23", signedName });
  const object = async () => (await db.consent.findFirstOrThrow({ where: { userId: own.id } })).id;
  return { own, sign, names: { family: own.id, object, objectType: "consent" as const } };
}

const AGREEMENTS: Writes = {
  "consent-given": async () => {
    const { own, names, sign } = await agreement();
    return { ...names, actor: own.id, act: () => expectSuccess(sign(own.name)), refused: () => sign("No Name") };
  },
  "consent-withdrawn": async () => {
    const { own, names, sign } = await agreement();
    await expectSuccess(sign(own.name));
    const id = await names.object();
    const end = (familyId: number) => admin.form(`/families/${familyId}/consents/${id}/withdraw`, {});
    return { ...names, actor: adminId, act: () => expectSuccess(end(own.id)), refused: () => end(devon.id) };
  },
};

export const ACCOUNT_WRITES: Writes = { ...ADDRESSES, ...ACCOUNTS, ...AGREEMENTS };
