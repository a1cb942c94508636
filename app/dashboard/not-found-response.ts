/** Returns the 404 response that a loader throws when the record of its URL does not exist. */
export function notFoundResponse(message: string): Response {
  return new Response(message, { status: 404, statusText: "Not Found" });
}
