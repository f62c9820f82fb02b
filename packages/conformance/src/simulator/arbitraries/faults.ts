import fc from 'fast-check';
import type { CallName } from '../call-name.ts';
import type { MachineEvent, ScriptedFault } from '../history.ts';
import type { Kind } from './kind.ts';
import { day, hour, second } from './times.ts';

export const machineEvent = ({ moment }: Kind): fc.Arbitrary<MachineEvent> => {
  const at = { at: moment, machine: fc.nat(4) };
  return fc.oneof(
    fc.record({ ...at, kind: fc.constantFrom('stop' as const, 'start' as const) }),
    fc.record({ ...at, kind: fc.constant('crash' as const), downFor: fc.nat(90 * second) }),
    fc.record({
      ...at,
      kind: fc.constant('pause' as const),
      length: fc.oneof(fc.nat(10 * second), fc.nat(70 * second)),
    }),
    fc.record({
      ...at,
      kind: fc.constant('clock' as const),
      by: fc.constantFrom(-day, -hour, -7 * second, 7 * second, 40 * second, hour, day),
    }),
  );
};

/** A machine joins or leaves. */
export const move = ({ moment }: Kind): fc.Arbitrary<MachineEvent> =>
  fc.record({
    at: moment,
    machine: fc.integer({ min: 1, max: 4 }),
    kind: fc.constantFrom('stop' as const, 'start' as const, 'start' as const),
  });

const workerCalls: readonly (CallName | 'send')[] = [
  'shards.join',
  'shards.heartbeat',
  'shards.acquire',
  'shards.release',
  'shards.leave',
  'deliveries.readOutbox',
  'deliveries.dispatch',
  'deliveries.dispatch',
  'deliveries.dispatchAnnounced',
  'deliveries.dispatchAnnounced',
  'deliveries.settle',
  'deliveries.settle',
  'deliveries.readDue',
  'deliveries.readQueued',
  'deliveries.recover',
  'deliveries.readEndpoints',
  'deliveries.readQueuedAccounts',
  'parents.propagate',
  'log.prune',
  'send',
  'send',
];

export const fault: fc.Arbitrary<ScriptedFault> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      machine: fc.integer({ min: 1, max: 3 }),
      call: fc.constantFrom(...workerCalls),
      number: fc.oneof(fc.nat(3), fc.nat(12)),
      kind: fc.constantFrom(
        'crash before' as const,
        'crash after' as const,
        'pause before' as const,
        'pause after' as const,
        'fail' as const,
        'lose' as const,
        'slow' as const,
      ),
      length: fc.oneof(fc.nat(5 * second), fc.nat(60 * second)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      machine: fc.constant(0),
      call: fc.constant('events.append' as const),
      number: fc.nat(3),
      kind: fc.constantFrom(
        'crash before' as const,
        'crash after' as const,
        'fail' as const,
        'lose' as const,
        'slow' as const,
      ),
      length: fc.nat(5 * second),
    }),
  },
);

/**
 * Leases that are renewed late or never, by otherwise healthy workers. A heartbeat without an answer is tried again, so
 * several in a row have the fault.
 */
export const lateHeartbeats: fc.Arbitrary<ScriptedFault[]> = fc
  .array(
    fc.record({
      machine: fc.integer({ min: 1, max: 3 }),
      call: fc.constant('shards.heartbeat' as const),
      number: fc.nat(12),
      kind: fc.constantFrom('slow' as const, 'slow' as const, 'lose' as const),
      length: fc.constantFrom(30 * second, 120 * second),
    }),
    { minLength: 1, maxLength: 4, size: 'max' },
  )
  .map((first) =>
    first.flatMap((fault) => Array.from({ length: 8 }, (_, index) => ({ ...fault, number: fault.number + index }))),
  );

/** Calls of a worker that never answer: a few of one method, or all from some time on. */
export const silence: fc.Arbitrary<ScriptedFault[]> = fc
  .record({
    call: fc.constantFrom(...workerCalls.filter((call) => call !== 'send')),
    from: fc.nat(5),
    times: fc.constantFrom(1, 3, 40),
    length: fc.constantFrom(0, 0, 10 * second, 60 * second),
    isWhole: fc.constantFrom(false, false, true),
  })
  .map(({ call, from, times, length, isWhole }) =>
    (isWhole ? [...new Set(workerCalls)] : [call]).flatMap((name) =>
      Array.from({ length: times }, (_, index) => ({
        ...{ machine: 1, call: name, number: from + index, kind: 'silent' as const, length },
      })),
    ),
  );
