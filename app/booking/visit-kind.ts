import { type AppointmentType, TYPE_LABELS } from "./booking-rules.ts";

type Visit = { isLiveVideoCall: boolean; meetingLink: string | null };

export type VisitKind = "video" | "link" | "in-person";

/** Returns how family and consultant meet: by video on this site, by a meeting link, or in person. */
export function visitKind({ isLiveVideoCall, meetingLink }: Visit): VisitKind {
  if (isLiveVideoCall) return "video";
  return meetingLink ? "link" : "in-person";
}

/** Returns the place that a visit in person has of its own; null where it has none, and for other kinds of visits. */
export function ownPlace(visit: Visit & { place: string | null }): string | null {
  return visitKind(visit) === "in-person" ? visit.place : null;
}

export const VISIT_KIND_LABELS: Record<VisitKind, string> = {
  video: "Video visit",
  link: "Online meeting",
  "in-person": "In person",
};

/** Short labels for lists. */
export const SHORT_VISIT_KIND_LABELS: Record<VisitKind, string> = {
  video: "Video",
  link: "By link",
  "in-person": "In person",
};

/** Returns the label of the type when it adds information to the title; null for the default type. */
export function distinctTypeLabel({ type, title }: { type: string; title: string }): string | null {
  if (type === "consultation") return null;
  const label = TYPE_LABELS[type as AppointmentType] ?? type;
  return title.toLowerCase().includes(label.toLowerCase()) ? null : label;
}

/** Returns the description, or null when it only repeats the title as preset by the schedule dialog. */
export function customDescription({ description, title }: { description: string | null; title: string }) {
  return description === presetDescription(title) ? null : description;
}

/** Returns the description that `?service=` presets. Source: docs/product.md, Screens. */
export function presetDescription(service: string): string {
  return `Request for ${service} service`;
}
