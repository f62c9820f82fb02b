import { callPort } from '../base/runtime/call-port.ts';
import { type Clock, monotonicNow } from '../base/runtime/clock.ts';
import { type DurationMs, minute } from '../base/runtime/time.ts';
import type { Observer } from '../base/signals/listener.ts';
import type { ShardStore } from '../webhooks/shards/shard-store.ts';

/** The store is asked at most once in this time. */
const every: DurationMs = minute;

/**
 * Passes signals on, and signals `worker_absent` when events are published and no worker delivers them. The first
 * publish only starts the minute: a process that ends sooner asks nothing. Publish does not wait for the answer.
 */
export const observeAbsence = (shards: Pick<ShardStore, 'hasWorkers'>, clock: Clock, observe: Observer): Observer => {
  let askAt: number | undefined;
  let absentSince: number | undefined;

  const ask = async (now: number): Promise<void> => {
    const found = await callPort(() => shards.hasWorkers());
    // A storage that fails says nothing about workers; the publish itself tells of the failure.
    if (found.isErr()) return;
    if (found.value) absentSince = undefined;
    else if (absentSince === undefined) absentSince = now;
    else observe({ kind: 'worker_absent', absentFor: now - absentSince });
  };

  return (signal) => {
    observe(signal);
    if (signal.kind !== 'published' || signal.outcome !== 'stored') return;
    const now = monotonicNow(clock);
    if (askAt !== undefined && now >= askAt) void ask(now);
    if (askAt === undefined || now >= askAt) askAt = now + every;
  };
};
