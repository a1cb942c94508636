# The product as a container: tests/container/dockerfile-and-guide.test.ts runs these very steps, so that the two cannot drift.
# The version of Node is the one that package.json pins, by the digest of its image for every platform.
FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /app
COPY package.json package-lock.json ./
# No package's own script runs; none of those we need at run time has one.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY app app
COPY bin bin
COPY prisma prisma
COPY public public
COPY server.ts tsconfig.json vite.config.ts react-router.config.ts prisma.config.ts ./
RUN node bin/build.js
# What stays is what runs: no compiler, no builder, no test tool, and the image has a Node of its own.
RUN npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
 && rm -rf node_modules/node node_modules/.bin/node node_modules/.package-lock.json \
 && rm -f node_modules/@prisma/client/runtime/*mysql* node_modules/@prisma/client/runtime/*sqlserver* \
 && rm -f node_modules/@prisma/client/runtime/*cockroachdb* \
 && mkdir data

FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production TZ=UTC HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/prisma prisma
COPY --from=build /app/bin bin
COPY --from=build /app/build build
COPY --from=build /app/server.ts ./
COPY --from=build --chown=node:node /app/data /data
USER node
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "bin/healthcheck.js"]
# Not through npm or a shell: signals are passed on. What ends without having been told to is started again; the program
# that does so is given no memory to speak of.
CMD ["node", "--max-old-space-size=16", "--max-semi-space-size=1", "bin/start.js"]
