import type { AuditAction } from "../../app/audit/audit-actions.ts";

const { recordAuditNow } = await import("../../app/audit/record-audit.server.ts");
const { verifyAuditChain } = await import("../../app/audit/verify-audit-chain.server.ts");
const { anchorJob, rememberLastAnchor } = await import("../../app/audit/anchor-job.server.ts");
const { auditWarnings } = await import("../../app/audit/audit-warnings.server.ts");
const { acceptAndReSignAuditChain } = await import("../../app/audit/re-sign-audit-chain.server.ts");
const { setInvalidHeadListener } = await import("../../app/audit/audit-chain-head.server.ts");

let alerts = 0;
setInvalidHeadListener(() => (alerts += 1));

const COMMANDS: Record<string, (...args: never[]) => unknown> = {
  async record(count: number, action: AuditAction) {
    for (let index = 0; index < count; index += 1)
      await recordAuditNow({ action, actorId: 1, familyId: 2, objectId: index });
  },
  verify: verifyAuditChain,
  passMinute: () => anchorJob.run(new AbortController().signal),
  warnings: auditWarnings,
  accept: acceptAndReSignAuditChain,
  alerts: () => alerts,
  end: () => anchorJob.onStop?.(),
};

rememberLastAnchor();
process.on("message", ({ id, command, args }: { id: number; command: string; args: never[] }) => {
  void (async () => COMMANDS[command]?.(...args))().then(
    (result) => process.send?.({ id, result }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  );
});
process.send?.("started");
