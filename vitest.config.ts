import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

// Packages are tested from source: the `source` export condition points at src/, so no build comes first.
// Keep the list short: Vitest hands it to Node.js as --conditions, and `import` there breaks require() of dual packages.
const conditions = ['source'];
const resolve = { conditions };
const ssr = { resolve: { conditions } };

/** Files that replace modules for themselves: each needs a worker of its own. All others share workers, and loaded modules. */
const mocked = 'test/**/*.mocked.test.ts';
/** Files of `npm run test:long` only. */
const long = 'test/**/*.long.test.ts';
const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig(({ mode }) => {
  const isLong = mode === 'long';
  /** One Vitest project per folder. Time-outs end what hangs; they measure nothing. */
  const project = (name: string, test: object = {}, root = `packages/${name}`) => ({
    resolve,
    ssr,
    test: {
      name,
      root,
      include: ['test/**/*.test.ts'],
      exclude: [...configDefaults.exclude, mocked, ...(isLong ? [] : [long])],
      isolate: false,
      testTimeout: isLong ? 7_200_000 : 300_000,
      hookTimeout: 300_000,
      env: {
        // Tests start some hundred Node.js processes, which load the same modules.
        NODE_COMPILE_CACHE: file('node_modules/.cache/node-compile'),
        ...(isLong ? { LONG_TESTS: '1', PROPERTY_RUNS: process.env['PROPERTY_RUNS'] ?? '10000' } : {}),
      },
      ...test,
    },
  });
  const typecheck = {
    enabled: true,
    include: ['test/**/*.test-d.ts'],
    tsconfig: '../../tsconfig.test-d.json',
    checker: '../../node_modules/.bin/tsc',
  };
  const postgres = { globalSetup: [file('packages/postgres/test/support/global-setup.ts')] };
  const redis = { globalSetup: [file('packages/redis/test/support/global-setup.ts')] };

  return {
    test: {
      // More than there are cores: much of the time is spent waiting for servers and child processes.
      maxWorkers: '150%',
      projects: [
        project('core', { typecheck }),
        project('express'),
        project('fastify'),
        project('jose'),
        project('postgres', postgres),
        project('redis', redis),
        project('opentelemetry', postgres),
        project('undici'),
        project('receiver', { typecheck }),
        project('web'),
        project('testing'),
        project('mocked', { include: [`packages/*/${mocked}`], exclude: configDefaults.exclude, isolate: true }, '.'),
        project('examples', {}, 'examples/quickstart'),
        project('receivers', {}, 'examples/receivers'),
      ],
      coverage: {
        provider: 'v8',
        include: ['packages/*/src/**/*.ts'],
        reporter: ['text-summary', 'html'],
      },
    },
  };
});
