// Proves that the consultant finds a family by the same search terms on every list.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock } from "../support/site.ts";

const NOW = new Date("2026-11-20T15:00:30Z");
setTestClock(() => NOW);

let admin: TestClient;
let keisha: Family;

beforeAll(async () => {
  admin = await consultant();
  keisha = await family({ firstName: "Keisha", lastName: "Thompson", intake: true });
  const phone = "(848) 555-0110";
  await db.user.update({ where: { id: keisha.id }, data: { phone } });
  const answers = { childName: "Zaïre Thompson", phoneNumber: "732.555.0199 (evenings)" };
  await db.intakeForm.update({ where: { userId: keisha.id }, data: answers });
  const visit = { title: "Hourly Consulting", type: "consultation", appointmentDate: new Date("2026-12-05T15:00Z") };
  const file = { fileName: "plan.pdf", fileType: "application/pdf", fileSize: 3, filePath: "nowhere" };
  // Another family with a record of its own on each list.
  const noor = await family({ firstName: "Noor", lastName: "Haddad", intake: true });
  for (const [index, userId] of [keisha.id, noor.id].entries()) {
    const appointmentDate = new Date(visit.appointmentDate.getTime() + index * 86_400_000);
    await db.appointment.create({ data: { ...visit, userId, appointmentDate } });
    await db.document.create({ data: { ...file, userId } });
  }
});

const LISTS = ["/families", "/calendar/new", "/documents", "/dashboard"];
const KEISHA = {
  "her name": "keisha THOMPSON",
  "the child's name": "zaire",
  "the child's name and hers": "Zaïre keisha",
  "the number of the account": "8485550110",
  "the number as another hand writes it": "+1 848.555.0110",
  "the last digits of it": "555-0110",
  "the number of the intake form": "(732) 555 0199",
};

describe("a family is found on every list by", () => {
  test.each([...Object.entries(KEISHA), ["her address", "EMAIL"]])("%s", async (_, words) => {
    const q = encodeURIComponent(words === "EMAIL" ? keisha.email : words);
    for (const list of LISTS) {
      const { document } = await admin.get(`${list}?q=${q}`);
      const rows = [...document.querySelectorAll("main .rows > li, main .document-row, main .admin-row")];
      const text =
        list === "/dashboard"
          ? document.querySelector("#appointments")?.textContent
          : document.querySelector("main")?.textContent;
      expect([list, rows.length > 0, text?.includes("Keisha"), text?.includes("Noor")]).toEqual([
        list,
        true,
        true,
        false,
      ]);
    }
  });
});

test("a child's name plus a word of the record finds it; words of two different families find nothing", async () => {
  const found = async (path: string) => {
    const { document } = await admin.get(path);
    return document.querySelector(path.startsWith("/dashboard") ? "#appointments" : "main")?.textContent ?? "";
  };
  expect(await found("/documents?q=zaire+plan")).toContain("1 document found.");
  expect(await found("/dashboard?q=hourly+zaire")).toContain("1 appointment found");
  for (const list of LISTS)
    expect([list, (await found(`${list}?q=zaire+haddad`)).includes("Keisha")]).toEqual([list, false]);
});

test("the list of families and the choice of a family for a new visit show the child's name", async () => {
  for (const list of ["/families", "/calendar/new"])
    expect((await admin.get(`${list}?q=keisha`)).visibleText).toContain("Child: Zaïre Thompson");
});

test("a family whose account is closed is on the list, and can't be chosen for a visit", async () => {
  const { id } = await family({ firstName: "Closed", lastName: "Account" });
  await db.user.update({ where: { id }, data: { closedAt: NOW } });
  expect((await admin.get("/families?q=closed+account")).visibleText).toContain("Closed Account");
  expect((await admin.get("/calendar/new?q=closed+account")).visibleText).toContain("No family was found");
});

test("the database filter for text finds a substring of a name, ignoring case", async () => {
  const { containsTextFilter: containsText } = await import("../../app/db/text-search.server.ts");
  const found = (lastName: string) => db.user.count({ where: { id: keisha.id, lastName: containsText(lastName) } });
  expect([await found("tHOMPS"), await found("homes")]).toEqual([1, 0]);
});
