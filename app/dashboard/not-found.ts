/** What a loader throws where the record of the address is not there. */
export function notFoundResponse(message: string): Response {
  return new Response(message, { status: 404, statusText: "Not Found" });
}
