# The service with the embedded engine. See docs/how-to/run-in-a-container.md.
#
# The base image is pinned by its digest. To update it, change the version here and in the lock file, and look up the
# digest: docker buildx imagetools inspect node:26.10.0-trixie-slim

# Compiles the service, and builds the explorer.
FROM node:26.10.0-trixie-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1 AS build
WORKDIR /app
COPY . .
RUN npm ci --include=dev --ignore-scripts
RUN npm run build
# The certificate authorities that are built into Node.js: the engine verifies object stores against them.
RUN node -e "process.stdout.write(require('node:tls').rootCertificates.join('\n'))" > authorities.pem

# The packages that the service needs at run time, without Node.js, which the base image has.
FROM node:26.10.0-trixie-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1 AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts --workspaces=false
RUN rm -rf node_modules/node-linux-* node_modules/.cache

FROM node:26.10.0-trixie-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATABASE_URL=chdb:/var/lib/transactions/data
RUN groupadd --gid 10001 transactions \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /var/lib/transactions --shell /usr/sbin/nologin transactions \
 && install -d -o 10001 -g 10001 -m 700 /var/lib/transactions \
 && rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /opt/yarn*
COPY --from=build /app/authorities.pem /etc/ssl/certs/ca-certificates.crt
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE ./
COPY bin bin
USER 10001:10001
VOLUME /var/lib/transactions
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "const { PORT, BASE_PATH = '' } = process.env; fetch(`http://127.0.0.1:${PORT || 3000}${BASE_PATH.replace(/[/]+$/, '')}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/transactions.js"]
CMD ["serve"]
