import { codeOf, turnOnSecondFactor, wrongCodeOf } from "../../support/authenticator-app.ts";
import { addPasskey } from "../../support/passkeys.ts";
import { signInAs, type Family } from "../../support/people.ts";
import { now, site } from "../../support/site-with-square.ts";
import { byFamily, devon, expectSuccess, type Writes } from "./write.ts";

const { db, family, origin, visitor } = site;

const signIn = ({ email, password }: Family, more: object = {}) =>
  visitor().post("/api/auth/login", { email, password, ...more });

const SIGN_INS: Writes = {
  "signed-in": async () => {
    const own = await family();
    return {
      ...byFamily(own),
      act: () => expectSuccess(signIn(own)),
      refused: () => signIn(own, { password: "wrong" }),
    };
  },
  "signed-out": async () => {
    const own = await family();
    return {
      actor: own.id,
      family: own.id,
      act: () => expectSuccess(own.post("/api/auth/logout", {})),
      refused: () => own.request("POST", "/api/auth/logout", { headers: { Origin: "https://evil.example" } }),
    };
  },
  "session-ended": async () => {
    const own = await family();
    await signInAs(origin, own.email, own.password);
    const { json } = await own.get("/api/auth/sessions");
    const { id } = json.find(({ current }: { current: boolean }) => !current);
    const end = (who: Family) => who.delete(`/api/auth/sessions/${id}`);
    return { actor: own.id, family: own.id, act: () => expectSuccess(end(own)), refused: () => end(devon) };
  },
  "sign-in-failed": async () => {
    const own = await family();
    return {
      actor: null,
      family: own.id,
      object: () => own.id,
      act: () => signIn(own, { password: "not the password" }),
      refused: () => visitor().post("/api/auth/login", { email: "no address" }),
    };
  },
  "sign-in-code-failed": async () => {
    const own = await family();
    const { secret } = await turnOnSecondFactor(own, own.password);
    return {
      actor: null,
      family: own.id,
      object: () => own.id,
      act: () => signIn(own, { code: wrongCodeOf(secret) }),
      refused: () => signIn(own),
    };
  },
  "identity-confirmed": async () => {
    const own = await family();
    const { sid, sess } = await db.session.findFirstOrThrow({ where: { userId: own.id } });
    const signedInAt = now().getTime() - 3_600_000;
    await db.session.update({
      where: { sid },
      data: { sess: JSON.stringify({ ...JSON.parse(sess), signedInAt, isFirst: undefined }) },
    });
    const give = (password: string) => own.form("/confirm-identity?redirectTo=%2Fchange-email", { password });
    return { ...byFamily(own), act: () => expectSuccess(give(own.password)), refused: () => give("not the password") };
  },
};

const SECOND_FACTORS: Writes = {
  "second-factor-set-up": async () => {
    const own = await family();
    const begin = (password: string) => own.post("/api/auth/second-factor", { password });
    return {
      ...byFamily(own),
      act: () => expectSuccess(begin(own.password)),
      refused: () => begin("not the password"),
    };
  },
  "second-factor-turned-on": async () => {
    const own = await family();
    const { secret } = (await own.post("/api/auth/second-factor", { password: own.password })).json;
    const confirm = (code: string) => own.post("/api/auth/second-factor/confirm", { code });
    return {
      ...byFamily(own),
      act: () => expectSuccess(confirm(codeOf(secret))),
      refused: () => confirm(wrongCodeOf(secret)),
    };
  },
  "second-factor-turned-off": async () => {
    const own = await family();
    const { recoveryCodes } = await turnOnSecondFactor(own, own.password);
    const remove = (password: string) =>
      own.form("/second-factor", { step: "remove", password, code: recoveryCodes[0] ?? "" });
    return {
      ...byFamily(own),
      act: () => expectSuccess(remove(own.password)),
      refused: () => remove("not the password"),
    };
  },
  "recovery-code-used": async () => {
    const own = await family();
    const { recoveryCodes } = await turnOnSecondFactor(own, own.password);
    return {
      ...byFamily(own),
      act: () => expectSuccess(signIn(own, { code: recoveryCodes[0] })),
      refused: () => signIn(own, { code: "aaaa-bbbb-cccc-dddd" }),
    };
  },
  "passkey-added": async () => {
    const own = await family();
    return {
      ...byFamily(own),
      act: () => addPasskey(own),
      refused: () => own.post("/api/auth/passkeys", { name: "Phone", credential: {} }),
    };
  },
  "passkey-removed": async () => {
    const own = await family();
    const { id } = await addPasskey(own);
    const remove = (who: Family) => who.delete(`/api/auth/passkeys/${id}`);
    return { ...byFamily(own), act: () => expectSuccess(remove(own)), refused: () => remove(devon) };
  },
};

export const SIGN_IN_WRITES: Writes = { ...SIGN_INS, ...SECOND_FACTORS };
