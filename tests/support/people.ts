import { setTimeout } from "node:timers/promises";
import { type Accounts, familyPassword } from "./accounts.ts";
import { TestClient } from "./http-client.ts";
import { adminEmail, adminPassword } from "./test-environment.ts";

export { familyPassword };

const FIRST_NAMES = ["Maria", "Devon", "Priya", "Samuel", "Noor", "Elena", "Tomás", "Grace"];
const LAST_NAMES = ["Alvarez", "Brooks", "Raman", "Okafor", "Haddad", "Petrova", "Silva", "Kim"];
let families = 0;
const MAX_RETRIES = 3;
const RETRY_DELAY_MS = 2_000;

export type FamilyOptions = {
  intake?: boolean;
  firstName?: string;
  lastName?: string;
  email?: string;
  password?: string;
  /** The network address it comes from. */
  address?: string;
};

/** A family's browser, signed in, with what the test needs to know of the account. */
export class Family extends TestClient {
  readonly id: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly password: string;

  constructor(origin: string, port: string, id: number, fields: Required<Omit<FamilyOptions, "intake" | "address">>) {
    super(origin, port);
    this.id = id;
    this.email = fields.email;
    this.firstName = fields.firstName;
    this.lastName = fields.lastName;
    this.password = fields.password;
  }

  get name(): string {
    return `${this.firstName} ${this.lastName}`;
  }
}

/** The people who come to the site at `origin`. Without `accounts` they register and sign in as everybody does. */
export function createPeople(origin: string, port: string = new URL(origin).port, accounts?: Accounts) {
  const register = async (client: TestClient, fields: Required<Omit<FamilyOptions, "intake" | "address">>) => {
    if (accounts && fields.password === familyPassword) {
      const id = await accounts.createFamily(fields);
      client.storeCookies(await accounts.startSession(fields.email, { isFirst: true }));
      return id;
    }
    let response = await client.post("/api/auth/register", fields);
    // A crowded machine: the answer asks to try again in a minute, which is too long for a test.
    for (let tries = 0; response.status === 503 && tries < MAX_RETRIES; tries += 1) {
      await setTimeout(RETRY_DELAY_MS);
      response = await client.post("/api/auth/register", fields);
    }
    if (response.status !== 201) throw new Error(`The family could not register: ${response.status} ${response.text}`);
    return response.json.id as number;
  };
  return {
    /** Somebody who is not signed in. */
    visitor: () => new TestClient(origin, port),
    /** A family that has just registered; with `intake` it has told its story too. */
    family: async ({ intake = false, address, ...given }: FamilyOptions = {}): Promise<Family> => {
      const fields = { ...nextFamily(), ...given };
      const client = new TestClient(origin, port);
      if (address) client.ip = address;
      const family = new Family(origin, port, await register(client, fields), fields);
      family.ip = client.ip;
      for (const [name, value] of client.cookies) family.cookies.set(name, value);
      if (intake) await submitIntakeForm(family);
      return family;
    },
    /** The consultant, signed in. */
    consultant: async (): Promise<TestClient> => {
      if (!accounts) return signInAs(origin, adminEmail, adminPassword, port);
      const client = new TestClient(origin, port);
      client.storeCookies(await accounts.startSession(adminEmail));
      return client;
    },
  };
}

export async function signInAs(
  origin: string,
  email: string,
  password: string,
  port: string = new URL(origin).port,
): Promise<TestClient> {
  const client = new TestClient(origin, port);
  const response = await client.post("/api/auth/login", { email, password });
  if (response.status !== 200) throw new Error(`${email} could not sign in: ${response.status} ${response.text}`);
  return client;
}

function nextFamily() {
  const number = (families += 1);
  const firstName = FIRST_NAMES[number % FIRST_NAMES.length] ?? "Maria";
  const lastName = LAST_NAMES[Math.floor(number / FIRST_NAMES.length) % LAST_NAMES.length] ?? "Alvarez";
  const email = `family.${number}.${process.pid}@example.com`;
  return { firstName, lastName, email, password: familyPassword };
}

async function submitIntakeForm(family: Family) {
  const response = await family.post("/api/intake-forms", intakeForm(family));
  if (response.status !== 201) throw new Error(`The intake form was refused: ${response.status} ${response.text}`);
}

/** An intake form with every required answer. */
export function intakeForm({ name, email }: { name: string; email: string }) {
  return {
    fullName: name,
    phoneNumber: "(732) 555-0117",
    emailAddress: email,
    preferredContactMethod: "phone",
    address: "12 Ocean Avenue, Long Branch, NJ 07740",
    childName: "Leo",
    childAge: "9 years",
    childBirthday: "March 14, 2017",
    iepStatus: "in_process",
    primaryConcerns: ["School Advocacy / IEP / 504 Plans"],
    otherConcerns: "Reading takes all evening.",
  };
}
