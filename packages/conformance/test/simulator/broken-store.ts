import type { Clock } from '@partnerkit/core/adapter';
import type { memoryStorage } from '@partnerkit/core/memory';
import type { Law } from '../../src/simulator/laws/facts.ts';
import type { Kind } from './expect-to-be-found.ts';

export type Memory = ReturnType<typeof memoryStorage>;
type Deliveries = Memory['deliveries'];
type Shards = Memory['shards'];

/** A storage with one thing wrong, and a law that it breaks. */
export interface BrokenStore {
  readonly how: string;
  readonly law: Law;
  /** Of all kinds, unless one is named in which it shows more often. */
  readonly kind?: Kind;
  readonly break: (storage: Memory, clock: Clock) => Memory;
}

export const deliveries =
  (change: (deliveries: Deliveries, clock: Clock) => Partial<Deliveries>): BrokenStore['break'] =>
  (storage, clock) => ({ ...storage, deliveries: { ...storage.deliveries, ...change(storage.deliveries, clock) } });
export const shards =
  (change: (shards: Shards) => Partial<Shards>): BrokenStore['break'] =>
  (storage) => ({ ...storage, shards: { ...storage.shards, ...change(storage.shards) } });
export const log =
  (change: (storage: Memory, clock: Clock) => Partial<Memory['log']>): BrokenStore['break'] =>
  (storage, clock) => ({ ...storage, log: { ...storage.log, ...change(storage, clock) } });

export type Settlement = Parameters<Deliveries['settle']>[1];
export const onSettle = (change: (settlement: Settlement) => Settlement): BrokenStore['break'] =>
  deliveries(({ settle }) => ({
    settle: (workerId, settlement, known) => settle(workerId, change(settlement), known),
  }));

/** Every nth. */
export const each = (n: number): (() => boolean) => {
  let count = 0;
  return () => ++count % n === 0;
};
