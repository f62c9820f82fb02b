// Mutates the files of MUTATE, a list with commas, and runs the tests of TESTS. `npm run mutants` sets both.
export default {
  packageManager: 'pnpm',
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  vitest: { configFile: 'tools/mutants/vitest.config.ts', related: false },
  mutate: process.env.MUTATE.split(','),
  // Texts for people are not tested letter by letter.
  mutator: { excludedMutations: ['StringLiteral'] },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  inPlace: true,
  concurrency: 1,
  timeoutMS: 8_000,
  reporters: ['json', 'clear-text'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
  jsonReporter: { fileName: process.env.MUTANTS_REPORT },
  disableTypeChecks: false,
  tempDirName: 'node_modules/.cache/stryker',
};
