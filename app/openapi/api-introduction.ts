/** How to use the API, in Markdown: the first part of the API description and of docs/api.md. */
export const API_INTRODUCTION = `JSON in both directions. Instants are ISO 8601 in UTC, ids are positive integers, money is a number of US dollars
with at most two decimals. Fields that a call does not know, and fields that its caller may not set, are ignored. An
empty string in an optional field counts as absent; text is trimmed before it is checked, passwords never are. The pages
of the site post the same fields to their own addresses, and run the same commands.

### Sign in

A session is a cookie: \`session\`, or \`__Host-session\` on a public site. The first call stores it, the others send it.

\`\`\`sh
site=http://localhost:3000
curl --cookie-jar cookies --header "Origin: $site" --json '{"email":"ana@example.com","password":"…"}' $site/api/auth/login
curl --cookie cookies $site/api/appointments
curl --cookie cookies --header "Origin: $site" --json '{"title":"Hourly Consulting","appointmentDate":"2026-12-07T15:00:00Z"}' \\
  $site/api/appointments
\`\`\`

Where a second factor is on, the sign-in answers 401 with \`"secondFactor": true\`: send it again with \`code\`. A
family's session ends after 24 hours without a call and after 7 days, the administrator's after 15 minutes and 12 hours.

### The same-origin rule

Every call but GET must come from the site itself: send its own address as \`Origin\`. A call from another origin, or one
with a session cookie and neither \`Origin\` nor \`Sec-Fetch-Site\`, is refused with 403 and changes nothing. No origin is
granted access from a browser (CORS).

### Errors

A refusal has a proper status, and a sentence for a person in \`message\`. With 422, \`errors\` has the sentences of each
field.

\`\`\`json
{ "message": "Enter a service type.", "errors": { "title": ["Enter a service type."] } }
\`\`\`

Without a session every path is 401, known or not, but those that anyone may call. What belongs to another family is
answered like what does not exist: 404. A method that a path does not have is 405, with \`Allow\`.

### Limits

A call too many is 429, one at a bad moment 503; both say in \`Retry-After\` after how many seconds to try again. An
account, or all callers of a network without one, have 1,200 reading and 300 changing calls a minute. A network (an IPv4
address, an IPv6 /64) has 60 sign-ins and 10 wrong passwords in a quarter of an hour, and 5 new accounts an hour. A body has at most 256 KiB (16 KiB under \`/api/auth\`), a document
50 MB. A body sent in chunks has 256 of them and one more for each 128 bytes; the connection of one with more is closed
without a response, so send lines together.`;
