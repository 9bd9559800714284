# The program with the packages it needs in a few files (decision 0819), and beside it what has to stay a package. Both
# stages run on the machine that builds, and the last one runs nothing, so that an image for another processor needs no
# emulation.
FROM --platform=$BUILDPLATFORM node:24.19-bookworm-slim@sha256:cd84903a12dbd26b46f1f3b8144a2568c41c5d37ddd0c7a80a34c7a19786b35f AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
# Named in the log and by gateway_info: --build-arg GATEWAY_COMMIT="$(git rev-parse HEAD)"
ARG GATEWAY_COMMIT=unknown
COPY tsconfig.json tsconfig.build.json nest-cli.json ./
COPY src src
COPY migrations migrations
COPY web web
COPY sdk/src sdk/src
COPY scripts/build-web.mjs scripts/build-dashboard.mjs scripts/bundle-derivation.mjs scripts/bundle-server.mjs scripts/supply-chain.mjs scripts/
COPY scripts/browser scripts/browser
RUN npm run build && npm run bundle && rm -rf dist/sdk dist/web/build/sandbox.* dist/*.tsbuildinfo

FROM --platform=$BUILDPLATFORM node:24.19-bookworm-slim@sha256:cd84903a12dbd26b46f1f3b8144a2568c41c5d37ddd0c7a80a34c7a19786b35f AS packages
# Set by the builder to the image's processor: amd64, arm64.
ARG TARGETARCH
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/supply-chain.mjs scripts/prune-bundled.mjs scripts/write-sbom.mjs scripts/
# The development chain comes as an optional package, and native code (argon2) does too: so they are
# installed together, and the chain is taken out again.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --cpu="$(node -p "({ amd64: 'x64' })[process.env.TARGETARCH] ?? (process.env.TARGETARCH || process.arch)")" && rm -rf node_modules/@foundry-rs
COPY --from=build /app/dist/packages.json dist/packages.json
# What is left is written down in sbom.json: packages in the bundle as their manifest and license.
RUN node scripts/prune-bundled.mjs dist/packages.json && node scripts/write-sbom.mjs > sbom.json
# Half of their size is for editors and debuggers.
RUN find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -delete

FROM node:24.19-bookworm-slim@sha256:cd84903a12dbd26b46f1f3b8144a2568c41c5d37ddd0c7a80a34c7a19786b35f
ARG GATEWAY_COMMIT=unknown
LABEL org.opencontainers.image.revision=$GATEWAY_COMMIT
ENV NODE_ENV=production
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=packages /app/sbom.json sbom.json
COPY package.json LICENSE ./
# All files belong to root: the process cannot change its own program.
USER node
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=4 CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/api/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/src/main.js"]
