// Makes what `npm start` makes before it serves: the database clients and the optimised build. The Dockerfile runs it.
import { build, generateClients } from "./prepare.js";

await generateClients();
await build();
