/** The data of a page that refreshes itself: 304 while it is what the page already shows. */
export function jsonWithEtag(request: Request, data: { version: string }): Response {
  const headers = { ETag: `"${data.version}"` };
  if (request.headers.get("if-none-match") === headers.ETag) return new Response(null, { status: 304, headers });
  return Response.json(data, { headers });
}
