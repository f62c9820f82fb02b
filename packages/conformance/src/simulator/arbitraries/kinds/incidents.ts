import fc from 'fast-check';
import type { History, ScriptedAct, ScriptedFault } from '../../history.ts';
import { list } from '../kind.ts';
import { life, none, ok } from '../life.ts';
import { answer } from '../scripts.ts';
import { hour, minute, second } from '../times.ts';

/** A pause of sending, most of which end. */
const pause = fc
  .record({
    at: fc.oneof(fc.nat(5 * second), fc.nat(minute)),
    endpoint: fc.nat(3),
    scope: fc.constantFrom('everything', 'account', 'account', 'endpoint', 'endpoint'),
    lasts: fc.option(fc.oneof(fc.nat(10 * second), fc.nat(2 * minute)), { freq: 8, nil: undefined }),
  })
  .map(({ at, lasts, ...what }): readonly ScriptedAct[] => [
    { at, ...what, kind: 'pause sending' },
    ...(lasts === undefined ? [] : [{ at: at + lasts, ...what, kind: 'resume sending' as const }]),
  ]);

const faultOfPause: fc.Arbitrary<ScriptedFault> = fc.record({
  machine: fc.constant(0),
  call: fc.constantFrom('sending.pause' as const, 'sending.resume' as const),
  number: fc.nat(3),
  kind: fc.constantFrom(
    ...(['crash before', 'crash after', 'fail', 'lose', 'slow', 'pause before', 'pause after'] as const),
  ),
  length: fc.nat(10 * second),
});

/**
 * The host pauses and resumes sending, with overlapping scopes, while machines die, join and leave, and endpoints are
 * disabled, replayed and sent to by a person.
 */
export const incidents = fc
  .tuple(
    life({
      lasts: fc.constant(0),
      moment: fc.oneof(fc.nat(5 * second), fc.nat(minute)),
      answers: list(answer, 0, 4),
      afterwards: ok,
      slowness: fc.constantFrom(100, 2 * second, 15 * second),
      transactions: { max: 10, events: 6 },
      acts: 6,
      faultCount: 3,
      moves: 2,
    }),
    list(pause, 1, 5),
    list(faultOfPause, 0, 1),
  )
  .map(
    ([history, pauses, faults]): History => ({
      ...history,
      acts: [...history.acts, ...pauses.flat()],
      faults: [...history.faults, ...faults],
    }),
  );

/** Everything is paused for longer than what is held is kept, and workers prune meanwhile. */
export const longIncidents = fc
  .tuple(
    life({
      lasts: fc.constant(0),
      moment: fc.nat(20 * second),
      answers: none,
      afterwards: ok,
      slowness: fc.constant(100),
      transactions: { max: 6, events: 3 },
      acts: 2,
      actKinds: fc.constantFrom('send test', 'send again'),
      faultCount: 0,
    }),
    fc.constantFrom('everything' as const, 'account' as const),
    fc.nat(10 * second),
  )
  .map(
    ([history, scope, at]): History => ({
      ...history,
      ...{ pruneEvery: minute, retention: { held: 6 * hour, events: 120 * hour } },
      acts: [
        ...history.acts,
        { at, endpoint: 0, kind: 'pause sending', scope },
        // Time does not leap over it.
        ...[2, 4, 6].map((minutes) => ({
          ...{ at: 7 * hour + minutes * minute, endpoint: 0, kind: 'cancel' as const },
        })),
        { at: 7 * hour + 6 * minute, endpoint: 0, kind: 'resume sending', scope },
      ],
    }),
  );
