import type { RequestHandler } from "express";
import { logError } from "../http/errors.server.ts";

/**
 * For handlers that pipe a file into the response without cleaning up (sirv): closes the file when the response is
 * closed, which a visitor may do before its end, and ends the response when the file can't be read. Otherwise the first
 * would leave a file descriptor open forever, and the second would end the process.
 */
export const closePipedSource: RequestHandler = (_request, response, next) => {
  response.once("pipe", (source) => {
    response.once("close", () => source.destroy());
    source.once("error", (error) => {
      logError(error, "reading a static file");
      response.destroy();
    });
  });
  next();
};
