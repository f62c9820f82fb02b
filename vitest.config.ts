import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Packages are tested from source: the `source` export condition points at src/, so no build comes first.
// Keep the list short: Vitest hands it to Node.js as --conditions, and `import` there breaks require() of dual packages.
const conditions = ['source'];
const resolve = { conditions };
const ssr = { resolve: { conditions } };

/** One Vitest project per folder. Time-outs end what hangs; they measure nothing. */
const project = (name: string, test: object = {}, root = `packages/${name}`) => ({
  resolve,
  ssr,
  test: { name, root, include: ['test/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000, ...test },
});

export default defineConfig({
  test: {
    // Every core: much of the time is spent waiting for servers and child processes.
    maxWorkers: '100%',
    projects: [
      project('core', {
        typecheck: {
          enabled: true,
          include: ['test/**/*.test-d.ts'],
          tsconfig: '../../tsconfig.json',
          checker: '../../node_modules/.bin/tsc',
        },
      }),
      project('express'),
      project('fastify'),
      project('jose'),
      project('postgres', {
        globalSetup: [fileURLToPath(new URL('packages/postgres/test/support/global-setup.ts', import.meta.url))],
        testTimeout: 120_000,
        hookTimeout: 120_000,
      }),
      project('redis', {
        globalSetup: [fileURLToPath(new URL('packages/redis/test/support/global-setup.ts', import.meta.url))],
        testTimeout: 120_000,
        hookTimeout: 120_000,
      }),
      project('opentelemetry', {
        globalSetup: [fileURLToPath(new URL('packages/postgres/test/support/global-setup.ts', import.meta.url))],
        testTimeout: 120_000,
        hookTimeout: 120_000,
      }),
      project('undici'),
      project('receiver', {
        typecheck: {
          enabled: true,
          include: ['test/**/*.test-d.ts'],
          tsconfig: '../../tsconfig.json',
          checker: '../../node_modules/.bin/tsc',
        },
      }),
      project('web'),
      project('testing', { testTimeout: 600_000 }),
      project('examples', { testTimeout: 120_000 }, 'examples/quickstart'),
      project('receivers', { testTimeout: 120_000 }, 'examples/receivers'),
    ],
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      reporter: ['text-summary', 'html'],
    },
  },
});
