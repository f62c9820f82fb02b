/** The wings of core, and what each may import beside itself. */
const wings = {
  base: [],
  webhooks: ['base'],
  access: ['base'],
  api: ['webhooks', 'access', 'base'],
  requests: ['api', 'webhooks', 'base'],
  stores: ['requests', 'webhooks', 'access', 'base'],
  kit: ['stores', 'requests', 'api', 'webhooks', 'access', 'base'],
};

/** The packages for tests, and what each may import beside itself. */
const forTests = {
  testing: ['core'],
  conformance: ['testing', 'core'],
  workshop: ['conformance', 'testing', 'core'],
};

/** The file that core's package.json names `#result`. */
const resultFile = '^packages/core/src/base/runtime/result\\.ts$';

/** The arrows of the design: everything points to core; adapters do not know each other; core is pure. */
export default {
  forbidden: [
    {
      name: 'core-is-pure',
      comment: 'core may import itself and zod: no adapter, no framework, no Node.js built-in.',
      severity: 'error',
      from: { path: '^packages/core/src', pathNot: ['^packages/core/src/base/crypto/', resultFile] },
      to: { pathNot: ['^packages/core/src', '(^|/)node_modules/zod/'] },
    },
    {
      name: 'neverthrow-behind-result',
      comment: 'Only the file of #result imports neverthrow, which is bundled into it.',
      severity: 'error',
      from: { pathNot: resultFile },
      to: { path: '(^|/)node_modules/neverthrow/' },
    },
    {
      name: 'core-crypto-computes',
      comment: 'core/src/crypto may import node:crypto beside that, and nothing else.',
      severity: 'error',
      from: { path: '^packages/core/src/base/crypto/' },
      to: { pathNot: ['^packages/core/src', '^(node:)?crypto$'] },
    },
    ...Object.entries(wings).map(([wing, others]) => ({
      name: `core-${wing}`,
      comment: `The wing ${wing} may import: ${others.join(', ') || 'no other wing'}.`,
      severity: 'error',
      from: { path: `^packages/core/src/${wing}/` },
      to: { path: '^packages/core/src/', pathNot: `^packages/core/src/(${[wing, ...others].join('|')})/` },
    })),
    {
      name: 'partners-have-no-server-code',
      comment:
        "What the receiver bundles of core must not reach clients, tokens, endpoints, events' publishing, deliveries or zod.",
      severity: 'error',
      from: { path: '^packages/core/src/(wire\\.ts$|stores/receiver/)' },
      to: {
        reachable: true,
        path: [
          '^packages/core/src/(access|api|kit|requests)/',
          '^packages/core/src/base/accounts/',
          '^packages/core/src/stores/(storage|rows)/',
          '^packages/core/src/webhooks/(endpoints|deliveries|delivery-rules|log|shards|worker)/',
          '(^|/)node_modules/zod/',
        ],
      },
    },
    {
      name: 'adapters-do-not-know-each-other',
      comment: 'The command line is on top of them: it may use the receiver.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/src', pathNot: '^packages/(core|cli|testing|conformance|workshop)/' },
      to: { path: '^packages/([^/]+)/', pathNot: ['^packages/$1/', '^packages/core/'] },
    },
    ...Object.entries(forTests).map(([name, others]) => ({
      name: `${name}-for-tests`,
      comment: `${name} may import: ${others.join(', ')}.`,
      severity: 'error',
      from: { path: `^packages/${name}/src/` },
      to: { path: '^packages/', pathNot: `^packages/(${[name, ...others].join('|')})/` },
    })),
    {
      name: 'tests-of-testing',
      comment: 'The tests of testing use neither conformance nor workshop.',
      severity: 'error',
      from: { path: '^packages/testing/test/' },
      to: { path: '^packages/(conformance|workshop)/' },
    },
    {
      name: 'tests-of-conformance',
      comment: 'The tests of conformance do not use workshop.',
      severity: 'error',
      from: { path: '^packages/conformance/test/' },
      to: { path: '^packages/workshop/' },
    },
    {
      name: 'no-circular-files',
      comment: 'No file imports itself through others, type imports included.',
      severity: 'error',
      from: { path: '^(packages/[^/]+/src|tools|bench)/' },
      to: { circular: true },
    },
    {
      name: 'no-circular-folders',
      comment: 'The folders of core and of postgres form layers, type imports included.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^packages/(core|postgres)/src' },
      to: { circular: true },
    },
    { name: 'no-unresolvable', severity: 'error', from: { path: '^packages/' }, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Our own builds only: the rules must see packages of others, most of which resolve to a `dist`.
    exclude: { path: ['^(packages|examples)/[^/]+/(dist|coverage)/', '^(coverage|docs/reference/api)/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['source', 'import', 'types'] },
  },
};
