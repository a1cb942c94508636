/** Responds with JSON and an ETag for a polling page; 304 while the ETag matches. */
export function jsonWithEtag(request: Request, data: { version: string }): Response {
  const headers = { ETag: `"${data.version}"` };
  if (request.headers.get("if-none-match") === headers.ETag) return new Response(null, { status: 304, headers });
  return Response.json(data, { headers });
}
