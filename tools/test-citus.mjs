#!/usr/bin/env node
// `npm run test:citus -- --url postgres://user@coordinator:5432/database`: the contract suites on plain rows in a
// distributed schema of a Citus cluster, publish in a host's transaction, wake-ups, the simulator, a schema moved and
// rebalanced under load, and the CPU of every server, if all run on this machine.
//   --stop <command> --start <command>   also kills servers: shell commands, {port} stands for the port of the server
//   other arguments                      parts of the paths of tests (default: all of them)
// CITUS_EVENTS and CITUS_HISTORIES set the events of the run under load and the histories of the simulator. The tests
// drop and create the schemas "rows_of_tests", "cost_plain_…" and "cost_nodes_…" of that database.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { root } from './packages.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { url: { type: 'string' }, stop: { type: 'string' }, start: { type: 'string' } },
});
if (values.url === undefined) {
  console.error(
    'test:citus needs the address of the coordinator of a cluster: ' +
      'npm run test:citus -- --url postgres://user@coordinator:5432/database',
  );
  process.exit(2);
}
const paths = positionals.length > 0 ? positionals : ['packages/postgres/test/citus'];
const { status } = spawnSync(
  process.execPath,
  [
    `${root}node_modules/vitest/vitest.mjs`,
    'run',
    '--mode',
    'citus',
    '--no-file-parallelism',
    '--project',
    'postgres',
    ...paths,
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      CITUS_URL: values.url,
      ...(values.stop && { CITUS_STOP: values.stop }),
      ...(values.start && { CITUS_START: values.start }),
    },
  },
);
process.exitCode = status ?? 1;
