import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { phoneHref } from "../../practice/site-links.ts";
import { useSite } from "../../practice/site.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { PageMeta } from "../../ui/page-meta.tsx";
import { BriefingCard } from "../visit-briefing.tsx";
import { CallClient } from "./call.client.ts";
import type { CallInfo } from "./call-state.ts";
import { CallRoom } from "./call-room.tsx";
import { WaitingRoom } from "./waiting-room.tsx";

/** Shows a video visit from the waiting room to its end, at one URL. Without JavaScript it shows a phone number. */
export function CallPage({ callInfo }: { callInfo: CallInfo }) {
  const call = useCallClient(callInfo);
  return (
    <main id="main" tabIndex={-1} className="page call">
      {call ? <CallStage call={call} callInfo={callInfo} /> : <CallLoading callInfo={callInfo} />}
    </main>
  );
}

function CallStage({ call, callInfo }: { call: CallClient; callInfo: CallInfo }) {
  const state = useSyncExternalStore(call.subscribe, () => call.state);
  switch (state.stage) {
    case "waiting":
      return <WaitingRoom call={call} state={state} callInfo={callInfo} />;
    case "room":
      return <CallRoom call={call} state={state} callInfo={callInfo} />;
    case "replaced":
      return (
        <CallStatusScreen
          heading="This visit is open elsewhere"
          text="You joined this visit in another tab or on another device. Camera and microphone are off here."
        >
          <p className="actions">
            <Button variant="primary" type="button" onClick={() => window.location.reload()}>
              Use this tab instead
            </Button>
            <LinkButton href="/dashboard">Go to the dashboard</LinkButton>
          </p>
        </CallStatusScreen>
      );
    case "refused":
      return (
        <CallStatusScreen heading="You can't join this video call" text={state.errorText}>
          <p className="actions">
            <LinkButton variant="primary" href={`/video-call/${callInfo.id}`}>
              Try again
            </LinkButton>
            <LinkButton href="/dashboard">Go to the dashboard</LinkButton>
          </p>
        </CallStatusScreen>
      );
    default:
      return <CallStatusScreen heading="The visit has ended" text="Opening your dashboard…" />;
  }
}

function CallLoading({ callInfo }: { callInfo: CallInfo }) {
  const { phone } = useSite().practice;
  return (
    <>
      <PageMeta>Waiting Room</PageMeta>
      <h1>Waiting Room</h1>
      <p role="status" className="scripted">
        Loading the waiting room…
      </p>
      <p className="scripted delayed-hint">
        This is taking longer than it should. Load this page again, or call <a href={phoneHref(phone)}>{phone}</a> at
        the time of your visit: we can talk by phone.
      </p>
      <p className="notice unscripted">
        A video visit needs a browser with JavaScript turned on, and a camera and a microphone if you want to be seen
        and heard. Please turn JavaScript on and load this page again. Or call <a href={phoneHref(phone)}>{phone}</a> at
        the time of your visit: we can talk by phone.
      </p>
      {callInfo.briefing && <BriefingCard briefing={callInfo.briefing} />}
    </>
  );
}

function CallStatusScreen({ heading, text, children }: { heading: string; text: string; children?: ReactNode }) {
  return (
    <div className="grid gap-5 py-4">
      <PageMeta>{heading}</PageMeta>
      <h1>{heading}</h1>
      <p role="status" className="notice">
        {text}
      </p>
      {children}
    </div>
  );
}

/** Creates the call in the browser. Releases its devices and connections when the person leaves the page. */
function useCallClient(callInfo: CallInfo): CallClient | null {
  const [client, setClient] = useState<CallClient | null>(null);
  useEffect(() => {
    const newClient = new CallClient(callInfo);
    setClient(newClient);
    const release = () => newClient.release();
    // A page restored from the back/forward cache shows a call that has been released.
    const reloadIfRestored = ({ persisted }: PageTransitionEvent) => persisted && window.location.reload();
    window.addEventListener("pagehide", release);
    window.addEventListener("pageshow", reloadIfRestored);
    return () => {
      window.removeEventListener("pagehide", release);
      window.removeEventListener("pageshow", reloadIfRestored);
      release();
    };
  }, [callInfo]);
  return client;
}
