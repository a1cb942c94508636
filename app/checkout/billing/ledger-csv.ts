import type { LoaderFunctionArgs } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { HTTP_STATUS } from "../../http/outcome.ts";
import { toCsv } from "./csv.ts";
import { loadLedgerTableWithAudit } from "./ledger.server.ts";
import { parsePeriod } from "./billing-period.ts";

/** Returns the payments and refunds of `?period=2026-11` or `?period=2026` as a CSV file for spreadsheets. */
export async function loader({ context, url }: LoaderFunctionArgs) {
  const period = parsePeriod(url.searchParams.get("period"));
  if (!period)
    return new Response("Say which month or year, such as ?period=2026-11.\n", {
      status: HTTP_STATUS.malformed,
      headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "private, no-store" },
    });
  return new Response(toCsv(await loadLedgerTableWithAudit(requirePerson(context), period)), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Cache-Control": "private, no-store",
      "Content-Disposition": `attachment; filename="payments-${period}.csv"`,
    },
  });
}
