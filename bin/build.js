// Prepares what `npm start` needs before it serves: the database clients and the optimized build. The Dockerfile runs
// it.
import { build, generateClients } from "./prepare.js";

await generateClients();
await build();
