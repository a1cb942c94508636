// Functions that server.ts calls. Express and the framework's server are bundled with the pages, so that a start reads
// only one file.
export { ensureAdministrator } from "../accounts/create-administrator.server.ts";
export { rememberLastAnchor } from "../audit/anchor-job.server.ts";
export { deleteUnfinishedUploads } from "../documents/orphaned-files.server.ts";
export { env } from "../env.server.ts";
export { collectStartupGarbage } from "./startup-gc.server.ts";
export { refreshConsultantProfileCache } from "../practice/consultant-profile.server.ts";
export { refreshPracticeDetailsCache } from "../practice/practice-details.server.ts";
export { createApp } from "./express.server.ts";
export { createHttpServer, listen } from "./http-server.server.ts";
export { startJobs } from "./jobs.server.ts";
export { installProcessExitHandlers, shutDownOnce } from "./shutdown.server.ts";
export { runStartupFileMaintenance, logReady, warmCaches } from "./startup-tasks.server.ts";
