-- A rare kind of action in a family's long log is read along this index (app/audit/list.server.ts).
CREATE INDEX "audit_entries_familyId_action_sequence_idx" ON "audit_entries"("familyId", "action", "sequence");
