// Runs two platforms under load and faults, and balances their books. Exits with 1 if one does not balance.
//   --minutes N    duration of load and faults; ending what is unfinished takes some minutes more (default: 30)
//   --seed N       draws the same faults again
//   --record       keep the figures in docs/operations/reliability.json, and write the page anew
import { parseArgs } from 'node:util';
import { describeMachine } from '../../packages/conformance/src/prove/machine.ts';
import { readCommit, readRecord, writeRecord } from '../../tools/prove/record.ts';
import { soak } from './run.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    record: { type: 'boolean' },
  },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0 && Number.isSafeInteger(seed))) {
  console.error('--minutes is a number above 0, and --seed a whole number.');
  process.exit(2);
}
const run = { ...describeMachine(), commit: readCommit() };
const since = Date.now();
console.log(`Soak of ${minutes} minutes, seed ${seed}:`);
const soaked = await soak({ minutes, seed, print: (text) => console.log(`  ${text}`) });
const { samples, broken, ...totals } = soaked;
console.log(JSON.stringify(totals, null, 2));
console.table(
  samples.map(({ connections, tablesMiB, workerMiB, hostMiB, ...rest }) => ({
    ...rest,
    workerMiB: Object.values(workerMiB).join(', '),
    hostMiB: Object.values(hostMiB).join(', '),
    connections: Object.values(connections).join(', '),
    tablesMiB: Object.values(tablesMiB).join(', '),
  })),
);
console.log(broken === undefined ? 'No law is broken.' : `BROKEN\n  ${broken.join('\n  ')}`);
if (values.record) {
  const command = `npm run soak -- --minutes ${minutes} --seed ${seed}`;
  const figures = { ...run, command, seed, seconds: Math.round((Date.now() - since) / 1_000), ...soaked };
  writeRecord({ ...readRecord(), soak: figures });
}
process.exit(broken === undefined ? 0 : 1);
