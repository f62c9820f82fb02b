import { writePart } from '../../../../bench/page.ts';

/** What one delivery costs, as the page says it: published by a transaction of its own, to one endpoint. */
interface Costs {
  /** Of the server, in µs. */
  readonly publish: number;
  readonly deliver: number;
  readonly prune: number;
  /** Of a worker, in µs. */
  readonly worker: number;
  /** Write-ahead log and rows, in bytes. */
  readonly log: number;
  readonly stored: number;
  /** The fastest run, in deliveries a second. */
  readonly fastest: number;
}

const peak = 5;
const days = 30;
/** Seconds that a receiver takes. */
const answer = 0.1;
const slots = 256;
const serverCores = 32;
/** By rows, in a day. */
const pruned = 10_000_000;
const volume = 64e12;
const secondsOfDay = 86_400;
const sizes = [1e6, 1e7, 1e8, 1e9, 1e10];

const readCosts = (page: string): Costs => {
  const found = (row: RegExp): number => {
    const figure = row.exec(page)?.[1]?.replaceAll(',', '');
    if (figure === undefined) throw new Error(`The page of sizes has no figure ${row.source}.`);
    return Number(figure);
  };
  return {
    publish: found(/^\| PostgreSQL's CPU: publish, .*? \| ([\d,]+) µs \|/m),
    deliver: found(/^\| PostgreSQL's CPU: from outbox to attempt \| ([\d,]+) µs \|/m),
    prune: found(/^\| PostgreSQL's CPU: prune \| ([\d,]+) µs \|/m),
    worker: found(/^\| worker's CPU, with TLS \| ([\d,]+) µs \|/m),
    log: 1_000 * found(/^\| write-ahead log \| ([\d.]+) KB:/m),
    stored: 1_000 * found(/^\| bytes on disk \| ([\d.]+) KB \|/m),
    fastest: found(/The fastest run on two cores delivered ([\d,]+) a second/),
  };
};

/** Two digits that count, such as 5,800 and 0.13. */
const short = (figure: number): string => {
  const digits = 10 ** (Math.floor(Math.log10(figure)) - 1);
  const rounded = Number((Math.round(figure / digits) * digits).toPrecision(2));
  return rounded.toLocaleString('en', { maximumFractionDigits: 4 });
};
const units = [
  [1e15, 'PB'],
  [1e12, 'TB'],
  [1e9, 'GB'],
  [1e6, 'MB'],
] as const;
const bytes = (figure: number): string => {
  const [unit, name] = units.find(([each]) => figure >= each) ?? [1e3, 'KB'];
  return `${short(figure / unit)} ${name}`;
};
const names = new Map([
  [1e6, '1 million'],
  [1e7, '10 million'],
  [1e8, '100 million'],
  [1e9, '1 billion'],
  [1e10, '10 billion'],
]);
const named = (figure: number): string =>
  figure >= 1e9 ? `${short(figure / 1e9)} billion` : `${short(figure / 1e6)} million`;

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Of a server that keeps half of its cores free. */
const perServer = ({ publish, deliver, prune }: Costs): number => (serverCores / 2 / (publish + deliver + prune)) * 1e6;

const sizesTable = (costs: Costs): string => {
  const { publish, deliver, prune, worker, log, stored } = costs;
  const atPeak = (size: number) => (peak * size) / secondsOfDay;
  const workers = (size: number) => Math.max(2, Math.ceil((atPeak(size) * answer) / slots));
  const rows: readonly (readonly [string, (size: number) => string])[] = [
    ['mean and peak a second', (size) => `${short(size / secondsOfDay)}, ${short(atPeak(size))}`],
    ['cores of PostgreSQL at the peak', (size) => short((atPeak(size) * (publish + deliver + prune)) / 1e6)],
    [`servers of ${serverCores} cores, half of them free`, (size) => `${Math.ceil(atPeak(size) / perServer(costs))}`],
    ['cores of workers at the peak', (size) => short((atPeak(size) * worker) / 1e6)],
    [`slots of workers at the peak, receivers take ${answer * 1000} ms`, (size) => short(atPeak(size) * answer)],
    [`workers with ${slots} slots, 2 at least`, (size) => `${workers(size)}`],
    ['write-ahead log: a day, a second at the peak', (size) => `${bytes(size * log)}, ${bytes(atPeak(size) * log)}`],
    [`\`events\`, \`dispatches\`, \`attempts\`, kept for ${days} days`, (size) => bytes(size * days * stored)],
    ['pruning', (size) => (size > pruned ? '[by day](#partition-by-day)' : 'by rows')],
    ['rate at the peak', (size) => (atPeak(size) > costs.fastest ? 'not run' : 'measured, on 2 cores')],
  ];
  return [
    line(['deliveries a day', ...sizes.map((size) => names.get(size) ?? '')]),
    line(['---', ...sizes.map(() => '---')]),
    ...rows.map(([name, of]) => line([name, ...sizes.map(of)])),
  ].join('\n');
};

/** What ends first, with the deliveries a day at which it does. */
const limitsTable = (costs: Costs): string => {
  const aDay = (atPeak: number): number => (atPeak / peak) * secondsOfDay;
  const limits: readonly (readonly [size: number, what: string, then: string, known: string])[] = [
    [aDay(16 / answer), 'one account: 16 slots of its worker', '[a larger `perAccount`](#workers)', 'product'],
    [pruned, 'pruning by rows', '[by day](#partition-by-day)', 'measured'],
    [aDay((2 * 64) / answer), 'two workers with 64 slots', '[a larger `concurrency`](#workers)', 'product'],
    [aDay(costs.fastest), 'the fastest run, on two cores', 'measure your own', 'measured'],
    [aDay(perServer(costs)), `one server of ${serverCores} cores`, '[several](#ways-to-grow)', 'extrapolated'],
    [volume / days / costs.stored, `a volume of ${bytes(volume)}`, 'a shorter `webhooks.retention`', 'product'],
    [
      aDay((128 * slots) / answer),
      `128 workers with ${slots} slots`,
      'more slots, or [several servers](#ways-to-grow)',
      'extrapolated',
    ],
  ];
  return [
    line(['deliveries a day', 'what ends', 'then', 'known from']),
    line(['---', '---', '---', '---']),
    ...limits
      .toSorted(([one], [other]) => one - other)
      .map(([size, what, then, known]) => line([named(size), what, then, known])),
  ].join('\n');
};

/** The page with its tables, computed from the figures for one delivery on it. */
export const growthPage = (page: string): string => {
  const costs = readCosts(page);
  return writePart(writePart(page, 'sizes', sizesTable(costs)), 'limits', limitsTable(costs));
};
