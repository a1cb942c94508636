// Which advisories of `npm audit --json` (auditReportVersion 2) stop a change, and which waivers still count.

/** @typedef {{ advisory: string, package: string, reason: string, until: string }} Waiver */
/** @typedef {{ id: string, name: string, severity: string, title: string, url: string }} Advisory */
/** @typedef {{ via: unknown[], severity?: unknown }} Vulnerability */

const MAX_DAYS = 90;
const MIN_REASON = 20;
const DAY_MS = 86_400_000;
const MEMBERS = ["advisory", "package", "reason", "until"];
/** Any other severity, one that npm does not have yet included, stops a change. */
const HARMLESS = ["info", "low", "moderate"];

/**
 * @param {string} text
 * @param {Date} now
 * @returns {{ waivers: Waiver[], problems: string[] }}
 */
export function readWaivers(text, now) {
  const entries = parseJson(text);
  if (!Array.isArray(entries)) return { waivers: [], problems: ["This is not a JSON list of waivers."] };
  const today = now.toISOString().slice(0, 10);
  const last = new Date(now.getTime() + MAX_DAYS * DAY_MS).toISOString().slice(0, 10);
  const problems = entries.flatMap((entry, at) => {
    const problem = findProblem(entry, entries.slice(0, at), today, last);
    return problem ? [`Waiver ${at + 1}${nameOf(entry)} ${problem}`] : [];
  });
  return { waivers: problems.length > 0 ? [] : entries, problems };
}

/**
 * What stops a change, one sentence each; or why the report says nothing.
 * @param {string} text
 * @param {Waiver[]} waivers
 * @returns {{ problems: string[], unanswered?: string }}
 */
export function evaluateReport(text, waivers) {
  const report = parseJson(text);
  if (report?.auditReportVersion !== 2 || !isObject(report.vulnerabilities))
    return { problems: [], unanswered: describeFailure(report) };
  const vulnerabilities = /** @type {Vulnerability[]} */ (Object.values(report.vulnerabilities));
  if (!vulnerabilities.every((each) => isObject(each) && Array.isArray(each.via)))
    return { problems: [], unanswered: "npm's report has another form than its version 2." };
  const serious = listAdvisories(vulnerabilities).filter(({ severity }) => !HARMLESS.includes(severity));
  // A package that is named for what it depends on has the name in place of an advisory: one of them must have come.
  if (serious.length === 0 && vulnerabilities.some(({ severity }) => !HARMLESS.includes(String(severity))))
    return { problems: [], unanswered: "npm's report names a serious fault, and no advisory that tells of it." };
  const isWaived = (/** @type {Advisory} */ advisory) => waivers.some((waiver) => covers(waiver, advisory));
  const unused = waivers.filter((waiver) => !serious.some((advisory) => covers(waiver, advisory)));
  return {
    problems: [
      ...serious
        .filter((advisory) => !isWaived(advisory))
        .map(({ id, name, severity, title, url }) => `${name} has a ${severity} advisory, ${id}: ${title} (${url})`),
      ...unused.map(
        (waiver) => `The waiver of ${waiver.advisory} for ${waiver.package} waives nothing any more: take it out.`,
      ),
    ],
  };
}

/**
 * @param {Waiver} waiver
 * @param {Advisory} advisory
 */
function covers(waiver, { id, name }) {
  return waiver.advisory === id && waiver.package === name;
}

/**
 * @param {Vulnerability[]} vulnerabilities
 * @returns {Advisory[]}
 */
function listAdvisories(vulnerabilities) {
  const found = new Map();
  for (const { via } of vulnerabilities)
    for (const each of via) {
      if (!isObject(each)) continue;
      const { source, name, dependency, severity, title, url } = each;
      const id = /GHSA(?:-\w{4}){3}$/.exec(String(url))?.[0] ?? String(source);
      const advisory = { id, name: String(dependency ?? name), severity, title: String(title), url: String(url) };
      found.set(`${advisory.id} ${advisory.name}`, advisory);
    }
  return [...found.values()];
}

/**
 * @param {any} entry
 * @param {any[]} earlier
 * @param {string} today
 * @param {string} last
 */
function findProblem(entry, earlier, today, last) {
  if (!isObject(entry) || Object.keys(entry).toSorted().join() !== MEMBERS.join())
    return `must have ${MEMBERS.join(", ")}, and nothing else.`;
  if (MEMBERS.some((member) => typeof entry[member] !== "string")) return "must have texts alone.";
  if (!/^GHSA(-[2-9cfghjmpqrvwx]{4}){3}$/.test(entry.advisory)) return "names no advisory such as GHSA-xxxx-xxxx-xxxx.";
  if (!/^(@[\w.-]+\/)?[\w.-]+$/.test(entry.package)) return "names no package.";
  if (entry.reason.trim().length < MIN_REASON) return "does not say why the fault can't be reached here.";
  if (!isDay(entry.until)) return "must end on a day such as 2027-01-31.";
  if (entry.until < today) return `ended on ${entry.until}: update the package, or decide again.`;
  if (entry.until > last) return `counts for more than ${MAX_DAYS} days: until ${last} at most.`;
  const isRepeated = earlier.some((each) => each?.advisory === entry.advisory && each?.package === entry.package);
  return isRepeated ? "stands there twice." : null;
}

/** @param {string} text */
function isDay(text) {
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().slice(0, 10) === text;
}

/** @param {any} entry */
function nameOf(entry) {
  return typeof entry?.advisory === "string" ? ` (${entry.advisory})` : "";
}

/** @param {any} report */
function describeFailure(report) {
  const message = report?.message ?? report?.error?.summary;
  return message ? `npm said: ${message}` : "The registry did not answer, or npm did not write a report.";
}

/** @param {string} text */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, any>}
 */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
