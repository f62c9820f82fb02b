#!/usr/bin/env node
import { gzipSync } from 'node:zlib';
// What a partner or a host really loads: bundles entries alone, and fails on their size and on words that do not belong.
import { build } from 'esbuild';

/** Sizes are of the minified and gzipped bundle, everything included but the named externals. */
const entries = [
  {
    entry: 'packages/receiver/dist/index.js',
    mostBytes: 6_500,
    external: ['node:crypto'],
    forbidden: ['client_secret', 'createPartnerkit', 'grant_type', 'aes-256-gcm', 'ZodType', 'retryIn'],
  },
  {
    entry: 'packages/core/dist/index.js',
    mostBytes: 20_000,
    external: ['node:crypto', 'zod', 'neverthrow'],
    forbidden: ['node:http', 'node:fs', 'node:net'],
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
  { entry: 'packages/jose/dist/index.js', mostBytes: 2_000, external: ['@partnerkit/core', 'jose'], forbidden: [] },
  {
    entry: 'packages/undici/dist/index.js',
    mostBytes: 8_000,
    external: ['@partnerkit/core', 'undici', 'node:*'],
    forbidden: [],
  },
  {
    entry: 'packages/postgres/dist/index.js',
    mostBytes: 15_000,
    external: ['@partnerkit/core', 'node:*'],
    forbidden: ['withoutPlugins', 'unsafe(', 'parseArgs'],
  },
  {
    entry: 'packages/postgres/dist/kysely.js',
    mostBytes: 500,
    external: ['kysely'],
    forbidden: ['create table'],
  },
  { entry: 'packages/postgres/dist/postgres-js.js', mostBytes: 800, external: [], forbidden: ['create table'] },
  {
    entry: 'packages/postgres/dist/cli.js',
    mostBytes: 11_000,
    external: ['pg', 'node:*'],
    forbidden: ['createPartnerkit', 'pg_notify'],
  },
];

let wrong = 0;
for (const { entry, mostBytes, external, forbidden } of entries) {
  const { outputFiles } = await build({
    entryPoints: [entry],
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
    `${holds ? 'ok  ' : 'FAIL'} ${entry}: ${size} of ${mostBytes} bytes${found.length > 0 ? `, holds ${found.join(', ')}` : ''}`,
  );
}
process.exitCode = wrong > 0 ? 1 : 0;
