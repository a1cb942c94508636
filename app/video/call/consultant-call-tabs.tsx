import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { formatCountWithNoun } from "../../format-count-with-noun.ts";
import type { CallInfo, ChatMessage } from "./call-state.ts";
import { IntakePanel } from "./intake-panel.tsx";
import { AppointmentNotePanel } from "./appointment-note-panel.tsx";

const TAB_LABELS = { chat: "Chat", intake: "Intake form", note: "Private note" } as const;
type Tab = keyof typeof TAB_LABELS;
const TAB_NAMES = Object.keys(TAB_LABELS) as Tab[];

/** Returns the selected tab and the number of messages that arrived while the chat tab was not selected. */
export function useConsultantTabs(messages: ChatMessage[]) {
  const [tab, setTab] = useState<Tab>("chat");
  const [seenCount, setSeenCount] = useState(0);
  const select = (next: Tab) => {
    if (tab === "chat") setSeenCount(messages.length);
    setTab(next);
  };
  const unreadCount = tab === "chat" ? 0 : messages.slice(seenCount).filter(({ isOwn }) => !isOwn).length;
  return { tab, select, unreadCount };
}

type PanelProps = { tabs: ReturnType<typeof useConsultantTabs>; callInfo: CallInfo; chat: ReactNode };

/**
 * Shows the consultant's tabs next to the videos: chat, intake form and note. Hidden tabs stay mounted, so that typed
 * text is kept.
 */
export function ConsultantPanel({ tabs: { tab, select, unreadCount }, callInfo, chat }: PanelProps) {
  const id = useId();
  const [isIntakeOpened, setIsIntakeOpened] = useState(false);
  const newMessages = unreadCount > 0 ? `${formatCountWithNoun(unreadCount, "new message")} in the chat` : "";
  const panels: Record<Tab, ReactNode> = {
    chat,
    intake: isIntakeOpened && <IntakePanel callInfo={callInfo} />,
    note: <AppointmentNotePanel appointmentId={callInfo.id} />,
  };
  return (
    <div className="call-panel">
      <div role="tablist" aria-label="Beside the call" className="call-tabs">
        {TAB_NAMES.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === tab}
            aria-controls={`${id}-${name}-panel`}
            tabIndex={name === tab ? 0 : -1}
            onKeyDown={handleTabListKeyDown}
            onClick={() => {
              if (name === "intake") setIsIntakeOpened(true);
              select(name);
            }}
          >
            {TAB_LABELS[name]}
            {name === "chat" && unreadCount > 0 && (
              <span className="call-unread">
                {unreadCount}
                <span className="sr-only"> new</span>
              </span>
            )}
          </button>
        ))}
      </div>
      <p role="status" className="sr-only">
        {newMessages}
      </p>
      {TAB_NAMES.map((name) => (
        <div
          key={name}
          role="tabpanel"
          id={`${id}-${name}-panel`}
          aria-labelledby={`${id}-${name}`}
          className={name === "chat" ? "call-tab-panel" : "call-tab-panel card"}
          // A scrolling region must be reachable by keyboard.
          tabIndex={name === "intake" ? 0 : undefined}
          hidden={name !== tab}
        >
          {panels[name]}
        </div>
      ))}
    </div>
  );
}

/**
 * Handles arrow keys, Home and End. They only move the focus: opening the intake form adds an entry to the access log.
 */
function handleTabListKeyDown(event: KeyboardEvent<HTMLButtonElement>) {
  const { key, currentTarget } = event;
  const tabs = [...(currentTarget.parentElement?.querySelectorAll<HTMLElement>("[role=tab]") ?? [])];
  const currentIndex = tabs.indexOf(currentTarget);
  const targets: Record<string, number> = {
    ArrowRight: currentIndex + 1,
    ArrowLeft: currentIndex - 1,
    Home: 0,
    End: -1,
  };
  const target = targets[key];
  if (target === undefined) return;
  event.preventDefault();
  tabs.at(target % tabs.length)?.focus();
}
