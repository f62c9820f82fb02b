import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { type Registration, readPackages } from './tools/packages.ts';

// Packages are tested from source: the `source` export condition points at src/, so no build comes first.
// Keep the list short: Vitest hands it to Node.js as --conditions, and `import` there breaks require() of dual
// packages.
const conditions = ['source'];
const resolve = { conditions };
const ssr = { resolve: { conditions } };

/**
 * Files that replace modules for themselves, import other test files, or load another SQLite: each needs a process of
 * its own. All others share processes, and loaded modules.
 */
const mocked = '*.mocked{,.system}.test.ts';
/** Files of `npm run test:system`: real processes and servers that end, every screen, every framework. */
const system = '**/test/**/*.system.test.ts';
/** Files of `npm run test:long` only. */
const long = '**/test/**/*.long.test.ts';
/** What a run leaves out, by its mode. */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  test: [system, long],
  system: ['**/!(*.system).test.ts'],
  'test and system': [long],
  long: [],
};
const testsOf = (...folders: readonly string[]): string[] => folders.map((folder) => `${folder}/test/**/*.test.ts`);
/** The tests of the packages that registered for a project. */
const packagesIn = (project: Registration['tests']): string[] =>
  testsOf(
    ...readPackages()
      .filter(({ source }) => source.partnerkit?.tests === project)
      .map(({ folder }) => `packages/${folder}`),
  );
const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const setup = (packageName: string): string[] => [file(`packages/${packageName}/test/support/global-setup.ts`)];

// Whatever tests, servers and browsers leave in the temporary directory goes with the run.
const temporary = mkdtempSync(join(tmpdir(), 'partnerkit-tests-'));
// Servers run as another user.
chmodSync(temporary, 0o711);
process.env['TMPDIR'] = temporary;
process.on('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 10 }));

export default defineConfig(({ mode }) => {
  const isLong = mode === 'long';
  const exclude = [...configDefaults.exclude, ...(leftOut[mode] ?? [])];
  /**
   * Few projects: each starts workers of its own, and loads every module again. Time-outs end what hangs; they measure
   * nothing.
   */
  const project = (name: string, test: object) => ({
    resolve,
    ssr,
    test: {
      name,
      exclude: [...exclude, `**/test/**/${mocked}`],
      isolate: false,
      // Node.js itself loads the files: it strips types, so nothing is transformed for each project anew.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      // Two for each core: half of the time is spent waiting for servers, browsers and child processes.
      maxWorkers: 2 * availableParallelism(),
      runner: file('tools/tests/runner.ts'),
      testTimeout: isLong ? 7_200_000 : 300_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 240_000 } },
      env: {
        // Tests start some hundred Node.js processes, which load the same modules.
        NODE_COMPILE_CACHE: file('node_modules/.cache/node-compile'),
        ...(isLong ? { LONG_TESTS: '1', PROPERTY_RUNS: process.env['PROPERTY_RUNS'] ?? '10000' } : {}),
      },
      ...test,
    },
  });

  return {
    test: {
      projects: [
        project('unit', {
          include: [...packagesIn('unit'), ...testsOf('examples/*', 'bench', 'packages/workshop', 'tools')],
        }),
        project('postgres', {
          include: packagesIn('postgres'),
          globalSetup: setup('postgres'),
        }),
        project('mysql', { include: packagesIn('mysql'), globalSetup: setup('mysql') }),
        project('redis', { include: packagesIn('redis'), globalSetup: setup('redis') }),
        project('mocked', {
          include: [`packages/*/test/**/${mocked}`],
          exclude,
          isolate: true,
          // Only the runner of Vite replaces modules.
          experimental: {},
        }),
      ],
      coverage: {
        provider: 'v8',
        include: ['packages/*/src/**/*.ts'],
        reporter: ['text-summary', 'html'],
      },
    },
  };
});
