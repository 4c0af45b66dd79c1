# Three images: `gateway`, the product and nothing else; `ops`, the operators’ commands; and `sandbox`, all that `npm start`
# starts, for a stack to try it with.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:24.21.0-bookworm-slim AS runtime
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /app
COPY package.json package-lock.json .npmrc LICENSE ./
# Without --omit=optional npm installs optional peers too: Prisma's command line and TypeScript, more than all the rest.
RUN npm ci --omit=dev --omit=optional && npm cache clean --force
# DuckDB's library is an optional package for each platform.
COPY --from=build /app/node_modules/@duckdb node_modules/@duckdb
COPY --from=build /app/prisma/migrations prisma/migrations
COPY --from=build /app/dist/pglite dist/pglite
# A volume that is mounted there gets its owner.
RUN mkdir /data /trail && chown node:node /data /trail
USER node
VOLUME /data

FROM runtime AS sandbox
COPY scripts scripts
COPY sandbox/brand sandbox/brand
COPY sandbox/new-tpps/template sandbox/new-tpps/template
COPY --from=build /app/dist/packages dist/packages
COPY --from=build /app/dist/sandbox dist/sandbox
COPY --from=build /app/dist/sandbox-gateway dist/sandbox-gateway
COPY --from=build /app/dist/src dist/src
EXPOSE 3000-3006
CMD ["node", "dist/sandbox/start.js", "--container"]

# The commands of the operators. A volume of the gateway’s trail is mounted there.
FROM runtime AS ops
COPY --from=build /app/dist/operations dist/operations
COPY ops/verify-proof.mjs ops/verify-proof.mjs
ENTRYPOINT ["node", "dist/operations/main.js"]
CMD ["--help"]

FROM runtime AS gateway
COPY --from=build /app/dist/gateway dist/gateway
EXPOSE 3000 3001
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s --retries=3 \
  CMD ["node", "-e", "process.env.NODE_TLS_REJECT_UNAUTHORIZED = 0; const { BANK_PORT = 3001, BANK_TLS_CERT_FILE } = process.env; fetch(`http${BANK_TLS_CERT_FILE ? 's' : ''}://127.0.0.1:${BANK_PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
CMD ["node", "--max-semi-space-size=64", "dist/gateway/main.js"]
