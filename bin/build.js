// Prepares what `npm start` needs before the server runs: the database clients and the optimized build. Run by the
// Dockerfile.
import { buildIfOutdated, generatePrismaClients } from "./prepare.js";

await generatePrismaClients();
await buildIfOutdated();
