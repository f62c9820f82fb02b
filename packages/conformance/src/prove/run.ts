import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { describeMachine, type ProofRun } from './machine.ts';
import { isNoStorage, type StoragePlace } from './processes/platform.ts';
import { type ProvedProcesses, proveProcesses } from './processes/prove-processes.ts';
import { type ProvedHistories, proveHistories } from './prove-histories.ts';

/** What a command takes from its process. */
export interface Surroundings {
  /** The file of the command, which starts itself for the processes that are killed. */
  readonly command: string;
  readonly print: (text: string) => void;
  /** The module that opens a file of SQLite. @defaultValue `@partnerkit/sqlite` */
  readonly sqlite?: string;
  /** An empty storage for the processes, instead of a file of SQLite. @defaultValue none */
  readonly storage?: StoragePlace;
}

const usage = `Usage: npx @partnerkit/conformance prove [options]

Repeats the proof of delivery on this machine: random histories in the simulator, then real processes that are
killed with kill -9 while they publish and deliver. Exits with 1 if a law is broken, and prints what finds it again.

  --seconds <n>   duration of both parts together, without the deliveries that remain then (default: 60)
  --seed <n>      draws the same again (default: a random number, which is printed)
  --only <part>   simulator, or processes (default: both)
  --json          print the figures as one line of JSON
  --help

The processes share a file of SQLite. They need @partnerkit/sqlite beside this package:

  npx -p @partnerkit/conformance -p @partnerkit/sqlite partnerkit-conformance prove
`;

const parts = ['simulator', 'processes'] as const;
type Part = (typeof parts)[number];

/** The figures of a run, as `--json` prints them. */
interface Proof {
  readonly run: ProofRun;
  readonly seed: number;
  readonly simulator?: ProvedHistories & { readonly seconds: number };
  readonly processes?: ProvedProcesses & { readonly seconds: number };
}

interface Wanted {
  readonly seconds: number;
  readonly seed: number;
  readonly only: Part | undefined;
  readonly isJson: boolean;
}

const readWanted = (args: readonly string[]): Wanted | undefined => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '60' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      only: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
  const only = parts.find((part) => part === values.only);
  const isSound =
    positionals.join() === 'prove' &&
    Number.isSafeInteger(seconds) &&
    seconds > 0 &&
    Number.isSafeInteger(seed) &&
    (values.only === undefined || only !== undefined);
  return isSound && !values.help ? { seconds, seed, only, isJson: values.json } : undefined;
};

const number = (value: number): string => Math.round(value).toLocaleString('en-US');
const secondsSince = (since: number): number => Math.round((Date.now() - since) / 1_000);

const tellHistories = ({ histories, laws, counts }: ProvedHistories): string =>
  `${number(histories)} histories, each against ${laws} laws: ${number(counts.events)} events, ` +
  `${number(counts.attempts)} attempts of which ${number(counts.failedAttempts)} failed, ` +
  `${number(counts.crashes)} crashes, ${number(counts.pauses)} pauses, ${number(counts.failedCalls)} failed calls of ` +
  `the storage, ${number(counts.lostAnswers)} lost answers, ${number(counts.clockJumps)} clock jumps, ` +
  `${number(counts.days)} simulated days.`;

const tellProcesses = (proved: ProvedProcesses): string =>
  `${number(proved.killedWorkers)} workers, ${number(proved.killedPublishers)} publishers and ` +
  `${number(proved.killedPullers)} pullers killed, ` +
  `${proved.laws} laws: ${number(proved.committed)} events committed, ${number(proved.rolledBack)} rolled back, ` +
  `${number(proved.interrupted)} interrupted; ${number(proved.deliveries)} deliveries by ${number(proved.attempts)} ` +
  `attempts, of which ${number(proved.failedAttempts)} failed and ${number(proved.repeated)} were repeated; ` +
  `${number(proved.effects)} effects and ${number(proved.calls)} calls of handlers.`;

/** Runs the parts that are wanted. */
export const prove = async ({ seconds, seed, only }: Omit<Wanted, 'isJson'>, { print, ...processes }: Surroundings) => {
  const shared = only === undefined ? seconds / 2 : seconds;
  const runs: { -readonly [Key in keyof Proof]: Proof[Key] } = { run: describeMachine(), seed };
  if (only !== 'processes') {
    const since = Date.now();
    print(`Simulator, seed ${seed}:`);
    const proved = await proveHistories({ seed, goesOn: () => Date.now() - since < 1_000 * shared });
    runs.simulator = { ...proved, seconds: secondsSince(since) };
    print(`  ${tellHistories(proved)}`);
    print(proved.broken === undefined ? '  No law is broken.' : `  BROKEN\n${proved.broken}`);
  }
  if (only !== 'simulator') {
    const since = Date.now();
    print(`Processes, seed ${seed}:`);
    try {
      const onCalm = (): void =>
        print('  No process is killed any more. The remaining deliveries take about 20 seconds.');
      const proved = await proveProcesses({ seed, seconds: shared, ...processes, onCalm });
      runs.processes = { ...proved, seconds: secondsSince(since) };
      print(`  ${tellProcesses(proved)}`);
      print(proved.broken === undefined ? '  No law is broken.' : `  BROKEN\n  ${proved.broken.join('\n  ')}`);
    } catch (cause) {
      if (!isNoStorage(cause)) throw cause;
      print(`  Left out: ${cause.message}. See --help.`);
    }
  }
  return runs as Proof;
};

/** Runs a command line; resolves to its exit code. */
export const run = async (args: readonly string[], surroundings: Surroundings): Promise<number> => {
  const { print } = surroundings;
  let wanted: Wanted | undefined;
  try {
    wanted = readWanted(args);
  } catch (cause) {
    print(`${(cause as Error).message}\n`);
  }
  if (!wanted) {
    print(usage);
    return args.includes('--help') ? 0 : 2;
  }
  const { isJson } = wanted;
  const proof = await prove(wanted, { ...surroundings, print: isJson ? () => undefined : print });
  if (isJson) print(JSON.stringify(proof));
  const { simulator, processes } = proof;
  const hasProved = simulator !== undefined || processes !== undefined;
  return hasProved && simulator?.broken === undefined && processes?.broken === undefined ? 0 : 1;
};
