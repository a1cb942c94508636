// Prepares what `npm start` needs before the server runs: the database clients and the optimized build. Run by the
// Dockerfile.
import { build, generateClients } from "./prepare.js";

await generateClients();
await build();
