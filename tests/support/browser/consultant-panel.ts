import { expect, type Page } from "playwright/test";
import type { bookVideoAppointment } from "../video-appointment.ts";

type Visit = Awaited<ReturnType<typeof bookVideoAppointment>>;

const NOTES = ["Wants the letter by Friday.", "Ask about the bus."] as const;

/** Opens the family's form beside the call by keyboard. The arrow key alone opens nothing. */
export async function readFormDuringCall(consultant: Page, expectAccessible: (page: Page) => Promise<void>) {
  const form = consultant.getByRole("tabpanel", { name: "Intake form" });
  await consultant.getByRole("tab", { name: "Chat" }).focus();
  await consultant.keyboard.press("ArrowRight");
  await expect(consultant.getByRole("tab", { name: "Intake form" })).toBeFocused();
  await expect(form).toBeHidden();
  await consultant.keyboard.press("Enter");
  await expect(form).toContainText("Child's name");
  await expectAccessible(consultant);
}

/**
 * Saves one note after a failed attempt and leaves another unsaved. Its text outlives a change of the tab, to which a
 * message of the family leads.
 */
export async function writeNotesDuringCall(consultant: Page, family: Page, visit: Visit) {
  await consultant.getByRole("tab", { name: "Private note" }).click();
  const note = consultant.getByLabel("Private note about this visit");
  const save = consultant.getByRole("button", { name: "Save note" });
  await note.fill(NOTES[0]);
  await family.getByLabel("Message to Harbor Family Advocacy").fill("He starts on Monday.");
  await family.getByRole("button", { name: "Send message" }).click();
  await consultant.getByRole("tab", { name: "Chat 1 new" }).click();
  await expect(consultant.getByRole("log")).toContainText(`${visit.family.name}: He starts on Monday.`);
  await consultant.getByRole("tab", { name: "Private note" }).click();
  await consultant.evaluate(failNextSave);
  await save.click();
  await expect(consultant.getByText("Your text is still here.")).toBeVisible();
  await expect(note).toHaveValue(NOTES[0]);
  await save.click();
  await expect(consultant.getByText("The note is saved.")).toBeVisible();
  await expect(note).toHaveValue("");
  await note.fill(NOTES[1]);
  await expect(family.getByRole("tab")).toHaveCount(0);
}

/** After the call: each note is there once, also the one that was not saved when it ended. */
export async function expectBothNotes(consultant: Page, visit: Visit) {
  await expect(async () => {
    await consultant.goto(`/families/${visit.family.id}`);
    for (const text of NOTES) await expect(consultant.getByText(text)).toHaveCount(1, { timeout: 1000 });
  }).toPass();
}

/** As when the network is gone for a moment, without a line in the console. */
function failNextSave(): void {
  const fetch = window.fetch.bind(window);
  window.fetch = (input, init) => {
    if (init?.method !== "POST") return fetch(input, init);
    window.fetch = fetch;
    return Promise.reject(new TypeError("Failed to fetch"));
  };
}
