// Proves that the consultant sets the place of a visit on its page, and that the family reads it, with and without script.
import { expect, test } from "../../support/browser/playwright-fixtures.ts";
import { bookOrFail } from "../../support/bookings.ts";

const PLACE = "Gregory Elementary School, 201 Monmouth Avenue, room 12";

test.use({ viewport: { width: 375, height: 740 } });

test("a family proposes a place, and the consultant changes it on a phone", async ({
  page,
  site,
  login,
  expectAccessible,
}, { project }) => {
  const family = await site.family({ intake: true });
  const appointmentDate = `2027-05-${project.name === "with script" ? "22" : "23"}T15:00:00.000Z`;
  const { id } = await bookOrFail(family, { appointmentDate, place: "At our home" });
  await login(await site.consultant());
  await page.goto(`/dashboard/appointments/${id}`);
  await expect(page.getByText("At our home").last()).toBeVisible();
  await page.getByText("Change the place").click();
  const field = page.getByLabel("Place (optional)");
  await expect(field).toHaveValue("At our home");
  await field.fill("x".repeat(201));
  await page.getByRole("button", { name: "Save place" }).click();
  await expect(field).toHaveAccessibleDescription(/The place can have at most 200 characters\./);
  await field.fill(PLACE);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save place" }).click();
  await expect(page.getByText("Place saved")).toBeVisible();
  await page.getByText("Change the place").click();
  await expect(field).toHaveValue(PLACE);
  await login(family);
  await page.goto(`/appointments/${id}/booked`);
  await expect(page.getByText(`In person, ${PLACE}`)).toBeVisible();
  await page.goto("/appointments");
  await expect(page.getByText(`In person, ${PLACE}`)).toBeVisible();
  await expectAccessible(page);
});
