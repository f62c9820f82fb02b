import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// Forms that a distributed PostgreSQL (Citus 12.1) refuses. Each stays where it stands here, because the form that
// Citus accepts has another plan on one PostgreSQL, or the table is never distributed. Write new statements without.

const root = fileURLToPath(new URL('../../src/', import.meta.url));
/** The text of each file, without what is written once for a migration. */
const sources = globSync('**/*.ts', { cwd: root, exclude: ['migrations/**'] })
  .sort()
  .map((file) => [file, readFileSync(root + file, 'utf8')] as const);

test.each<[form: string, expression: RegExp, files: readonly string[]]>([
  ['a subquery without columns', /\bselect(\s+from\b|\s*\))/, []],
  [
    'a cast of what a statement returns',
    /\breturning [^()`]*::/,
    // A receiver's. `idle` in events/insert-events.ts has it, too: without it, each event that is published would pay.
    ['receiver/inbox.ts', 'receiver/seen-keys.ts'],
  ],
  [
    'a recursive query',
    /\bwith recursive\b/,
    // They jump from key to key of an index. Citus wants one account a statement, or a scan.
    [
      ...['deliveries/read-queued-accounts.ts', 'handlers/claim-deliveries.ts', 'log/count-backlog.ts'],
      ...['log/prune-pending.ts', 'log/read-health-snapshot.ts', 'requests/due-store.ts'],
    ],
  ],
  // Its cost makes the server plan anew; nothing else that is as cheap does.
  ['generate_series where rows are written', /\bgenerate_series\b/, ['database/fragments.ts']],
])('%s stands where it has to', (_form, expression, files) => {
  const found = sources.filter(([, text]) => expression.test(text)).map(([file]) => file);
  expect(found).toEqual(files);
});
