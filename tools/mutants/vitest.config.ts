import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const conditions = ['source'];

// The tests of the folders in TESTS, a list with commas: those beside the rules that are mutated.
const folders = (process.env['TESTS'] ?? 'packages/core/test').split(',');

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: folders.map((folder) => (folder.endsWith('.ts') ? folder : `${folder}/**/*.test.ts`)),
    exclude: ['**/*.{system,long}.test.ts', '**/node_modules/**'],
    testTimeout: 60_000,
    // Hundreds of mutants: a property has fewer runs.
    env: { PROPERTY_RUNS: '50' },
    // A worker thread cannot change its time zone.
    testNamePattern: /^(?!.*in any time zone)/,
  },
});
