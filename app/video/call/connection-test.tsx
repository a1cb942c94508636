import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import type { CallInfo } from "./call-state.ts";
import { probeIce } from "./ice-probe.client.ts";
import { type ConnectionTestResult, describeConnectionTest } from "./connection-test-result.ts";

/** Tests whether this network allows a video call, and gives advice when it does not. */
export function ConnectionTest({ callInfo, isOnline }: { callInfo: CallInfo; isOnline: boolean }) {
  const [result, setResult] = useState<ConnectionTestResult | "testing" | null>(null);
  const test = async () => {
    setResult("testing");
    const probe = await probeIce(callInfo.iceServers, callInfo.relayUrls).catch(() => ({
      direct: false,
      relay: false,
    }));
    setResult(describeConnectionTest({ server: isOnline, ...probe }));
  };
  const isTesting = result === "testing";
  return (
    <div className="connection-test">
      <Button type="button" aria-disabled={isTesting || undefined} onClick={() => !isTesting && void test()}>
        Test my connection
      </Button>
      <div role="status">
        {isTesting && <p>Testing your connection…</p>}
        {result && result !== "testing" && (
          <div className={result.isReady ? "notice" : "notice notice-danger"}>
            <p className="font-bold">{result.text}</p>
            {result.advice && <p>{result.advice}</p>}
          </div>
        )}
      </div>
    </div>
  );
}
