import { type DurationMs, day, hour, minute, second } from '../base/runtime/time.ts';
import { maxCounted } from '../base/signals/health-change.ts';
import { shardCount } from '../webhooks/shards/shard.ts';
import type { HealthReport } from './health-report.ts';

/** A due delivery, or an event without dispatch, that waits longer is late. */
const late: DurationMs = 5 * minute;
/** Rows of 30 days at 10 million a day: above it, whole days are dropped faster than rows are deleted. */
const maxRows = 300_000_000;

const remedies: Readonly<Record<string, string>> = {
  events: 'shorten webhooks.retention.events, or partition by day',
  dispatches: 'shorten webhooks.retention.events, or partition by day',
  attempts: 'shorten webhooks.retention.events, or partition by day',
};

/** A number that may be capped. */
const countText = (count: number): string => `${count}${count >= maxCounted ? ' or more' : ''}`;

const units = [
  [day, 'days'],
  [hour, 'hours'],
  [minute, 'minutes'],
] as const;

/** A duration in its largest unit of which it has at least 2. */
export const durationText = (duration: DurationMs): string => {
  const [unit, name] = units.find(([unit]) => duration >= 2 * unit) ?? [second, 'seconds'];
  return `${Math.floor(duration / unit)} ${name}`;
};

/** A number with its noun: `some(2, 'endpoint', 'fails', 'fail')` is `2 endpoints fail`. */
const some = (count: number, noun: string, one: string, more: string): string =>
  count === 1 ? `1 ${noun} ${one}` : `${countText(count)} ${noun}s ${more}`;

type Facts = Omit<HealthReport, 'status' | 'reasons'>;

const failing = ({ findings, backlog, workers }: Facts): readonly string[] => {
  const reasons = findings.map(({ part, detail }) => `${part}: ${detail}`);
  const { undispatched, waiting } = backlog;
  const serves = workers.some(({ leaseLeft, shards }) => leaseLeft > 0 && shards > 0);
  if (serves || undispatched + waiting === 0) return reasons;
  const waits =
    undispatched > 0 ? some(undispatched, 'event', 'waits', 'wait') : `deliveries wait (${countText(waiting)})`;
  const idle = workers.some(({ leaseLeft }) => leaseLeft > 0)
    ? 'look at onError of the workers'
    : 'start one with kit.worker().start()';
  return [`No worker holds shards while ${waits}: ${idle}.`, ...reasons];
};

const attention = (facts: Facts): readonly string[] => {
  const { backlog, workers, freeShards, failingEndpoints, handlers, tables = [], warnings } = facts;
  const { oldestDue = 0, oldestUndispatched = 0 } = backlog;
  const serves = workers.some(({ leaseLeft, shards }) => leaseLeft > 0 && shards > 0);
  return [
    ...(serves ? [] : ['No worker holds shards: what is published now will wait.']),
    ...(serves && freeShards > 0
      ? [`${freeShards} of ${shardCount} shards have no worker: their accounts wait until a worker takes them over.`]
      : []),
    ...(oldestUndispatched > late
      ? [`An event has waited ${durationText(oldestUndispatched)} for its dispatch: look for worker_error.`]
      : []),
    ...(oldestDue > late
      ? [`A delivery has been due for ${durationText(oldestDue)}: look at endpoints, then run more workers.`]
      : []),
    ...(failingEndpoints > 0
      ? [`${some(failingEndpoints, 'endpoint', 'fails', 'fail')}: notify the partners of those that fail longest.`]
      : []),
    ...handlers.flatMap(({ name, exhausted, oldestDue: due = 0 }) => [
      ...(exhausted > 0
        ? [
            `The handler ${name} gave up on ${some(exhausted, 'event', '', '').trim()}: repair it, then handlers.sendAgain.`,
          ]
        : []),
      ...(due > late ? [`The handler ${name} is late by ${durationText(due)}: start more workers with it.`] : []),
    ]),
    ...tables.flatMap(({ name, rows }) => {
      const remedy = remedies[name];
      return remedy !== undefined && rows > maxRows ? [`The table ${name} has some ${rows} rows: ${remedy}.`] : [];
    }),
    ...warnings,
  ];
};

/** Judges what was read. */
export const judge = (facts: Facts): HealthReport => {
  const [bad, odd] = [failing(facts), attention(facts)];
  // Why nothing is delivered is told once.
  const others = bad.length > 0 ? odd.filter((reason) => !reason.startsWith('No worker holds')) : odd;
  const status = bad.length > 0 ? 'failing' : odd.length > 0 ? 'attention' : 'ok';
  return { status, reasons: [...bad, ...others], ...facts };
};
