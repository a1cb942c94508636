import { type FormEvent, useId, useRef } from "react";
import { Button } from "../../ui/button.tsx";
import type { CallClient } from "./call.client.ts";
import type { ChatMessage } from "./call-state.ts";
import { MAX_CHAT_LENGTH } from "../signaling-protocol.ts";

/** Id of the message field, for the button that moves the focus to it. */
export const MESSAGE_FIELD_ID = "call-message";

/**
 * Shows the text chat, which also serves for captions: the latest message of the other side is shown over its video.
 */
export function Chat({
  call,
  messages,
  otherParticipantName,
}: {
  call: CallClient;
  messages: ChatMessage[];
  otherParticipantName: string;
}) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const sendMessage = (event: FormEvent) => {
    event.preventDefault();
    const text = field.current?.value.trim();
    if (!field.current || !text) return;
    call.sendChat(text);
    field.current.value = "";
  };
  return (
    <section className="card chat" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className="text-xl">
        Chat
      </h2>
      <p className="hint">
        There are no automatic captions. What you write here also shows over your picture. Only the two of you see it,
        and it isn't saved.
      </p>
      {/* A scrolling region must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div role="log" aria-label="Messages" className="messages" tabIndex={0}>
        {messages.map((message) => (
          <p key={message.id} data-own={message.isOwn || undefined}>
            <strong>{message.isOwn ? "You" : otherParticipantName}:</strong> {message.text}
            {message.isUndelivered && <em> (not delivered: {otherParticipantName} is not here)</em>}
          </p>
        ))}
      </div>
      <form onSubmit={sendMessage} className="chat-form">
        <label className="label" htmlFor={MESSAGE_FIELD_ID}>
          Message to {otherParticipantName}
        </label>
        <input
          id={MESSAGE_FIELD_ID}
          ref={field}
          className="input"
          maxLength={MAX_CHAT_LENGTH}
          autoComplete="off"
          enterKeyHint="send"
        />
        <Button type="submit">Send message</Button>
      </form>
    </section>
  );
}
