import { RECENTLY_ADDED_ACCESS_DAYS } from "../../../app/accounts/recently-added-access-days.ts";
import type { MessageContent } from "../../../app/mail/message-content.ts";
import type { MailEvent } from "../../../app/mail/mail-events.ts";

export type SampleMessage = { event: MailEvent; title: string; content: MessageContent };

export const PRACTICE = { name: "Harbor Family Advocacy", phone: "(732) 555-0142", email: "hello@example.com" };
export const ORIGIN = "https://www.example.com";
export const WHEN = "Mon, Dec 7, 2026 at 10:00 AM ET";
export const ADDED = { addedAccessDays: RECENTLY_ADDED_ACCESS_DAYS };
