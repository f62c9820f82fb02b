import { CliError } from './cli-error.ts';
import { withKitModule } from './kit-module.ts';
import type { Output } from './output.ts';

/** What is used of a report. */
interface Report {
  readonly status: string;
  readonly reasons: readonly string[];
  readonly at: number;
  readonly backlog: {
    readonly undispatched: number;
    readonly waiting: number;
    readonly held: number;
    readonly oldestUndispatched?: number;
    readonly oldestDue?: number;
  };
  readonly workers: readonly {
    readonly id: string;
    readonly since: number;
    readonly shards: number;
    readonly isStopping: boolean;
    readonly leaseLeft: number;
  }[];
  readonly endpoints: readonly {
    readonly accountId: string;
    readonly endpointId: string;
    readonly failures: number;
    readonly failingSince?: number;
    readonly pausedUntil?: number;
    readonly disabledBy?: string;
    readonly unfinished: number;
  }[];
  readonly handlers: readonly { readonly name: string; readonly waiting: number; readonly exhausted: number }[];
  readonly tables?: readonly { readonly name: string; readonly rows: number; readonly bytes: number }[];
}

/** What is used of a kit. */
interface Kit {
  health(): PromiseLike<{
    match<T>(ok: (report: Report) => T, err: (failure: { readonly code: string; readonly message: string }) => T): T;
  }>;
}

const isKit = (value: unknown): value is Kit => typeof (value as Partial<Kit> | undefined)?.health === 'function';

/** Columns of a terminal. */
const width = 80;

/** Breaks a sentence between its words. A longer word, such as an id, stays whole. */
const wrapped = (text: string, indent: string): readonly string[] => {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line.trim() !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = `${' '.repeat(indent.length)}${word}`;
    } else line = line === indent ? `${indent}${word}` : `${line} ${word}`;
  }
  return [...lines, line];
};

const section = (title: string, entries: readonly string[]): readonly string[] =>
  entries.length === 0 ? [] : ['', title, ...entries.flatMap((entry) => wrapped(entry, '  '))];

const seconds = (duration: number): string => `${Math.round(duration / 1_000)} s`;
const time = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
const capped = (count: number, limit: number): string => `${count}${count >= limit ? ' or more' : ''}`;
const aged = (count: number, age: number | undefined): string =>
  `${capped(count, 10_000)}${age === undefined ? '' : `, the oldest for ${seconds(age)}`}`;

const linesOf = ({ status, reasons, at, backlog, workers, endpoints, handlers, tables = [] }: Report) => [
  `${status} at ${time(at)}`,
  ...reasons.flatMap((reason) => wrapped(reason, '- ')),
  ...section('Backlog', [
    `events without dispatch: ${aged(backlog.undispatched, backlog.oldestUndispatched)}`,
    `deliveries that wait: ${aged(backlog.waiting, backlog.oldestDue)}`,
    `deliveries held: ${capped(backlog.held, 10_000)}`,
  ]),
  ...section(
    'Workers',
    workers.map(
      ({ id, since, shards, isStopping, leaseLeft }) =>
        `${id}: ${shards} shards since ${time(since)}, lease ${seconds(leaseLeft)}${isStopping ? ', stopping' : ''}`,
    ),
  ),
  ...section(
    'Worst endpoints',
    endpoints.map(({ accountId, endpointId, failures, failingSince, pausedUntil, disabledBy, unfinished }) =>
      [
        `${accountId} ${endpointId}: ${capped(unfinished, 1_000)} unfinished`,
        ...(failingSince === undefined ? [] : [`${failures} failures since ${time(failingSince)}`]),
        ...(pausedUntil === undefined ? [] : [`paused until ${time(pausedUntil)}`]),
        ...(disabledBy === undefined ? [] : [`disabled: ${disabledBy}`]),
      ].join(', '),
    ),
  ),
  ...section(
    'Handlers',
    handlers.map(({ name, waiting, exhausted }) => `${name}: ${waiting} waiting, ${exhausted} exhausted`),
  ),
  ...section(
    'Largest tables',
    tables.map(({ name, rows, bytes }) => `${name}: some ${rows} rows, ${Math.ceil(bytes / 1_048_576)} MiB`),
  ),
];

/** Says how a kit and its storage are. Resolves to 1 when the status is `failing`. */
export const health = async (module: string, output: Output): Promise<number> => {
  const report = await withKitModule({ path: module, isKit, output }, async ({ kit }) =>
    (await kit.health()).match(
      (found) => found,
      ({ code, message }) => {
        throw new CliError(`${code}: ${message}`);
      },
    ),
  );
  output.result(linesOf(report), report);
  return report.status === 'failing' ? 1 : 0;
};
