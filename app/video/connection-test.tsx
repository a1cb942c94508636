import { useState } from "react";
import { Button } from "../ui/button.tsx";
import type { CallFacts } from "./call-state.ts";
import { findWays } from "./connection-check.client.ts";
import { type Finding, findingOf } from "./connection-words.ts";

/** Says in words whether this network lets a video call through, and what to do if it doesn't. */
export function ConnectionTest({ facts, isOnline }: { facts: CallFacts; isOnline: boolean }) {
  const [finding, setFinding] = useState<Finding | "testing" | null>(null);
  const test = async () => {
    setFinding("testing");
    const ways = await findWays(facts.servers, facts.relayUrls).catch(() => ({ direct: false, relay: false }));
    setFinding(findingOf({ server: isOnline, ...ways }));
  };
  const isTesting = finding === "testing";
  return (
    <div className="connection-test">
      <Button type="button" aria-disabled={isTesting || undefined} onClick={() => !isTesting && void test()}>
        Test my connection
      </Button>
      <div role="status">
        {isTesting && <p>Testing your connection…</p>}
        {finding && finding !== "testing" && (
          <div className={finding.isFine ? "notice" : "notice notice-danger"}>
            <p className="font-bold">{finding.text}</p>
            {finding.advice && <p>{finding.advice}</p>}
          </div>
        )}
      </div>
    </div>
  );
}
