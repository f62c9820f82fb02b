import type { EndpointTurn, Settlement } from '@partnerkit/core';
import { minute } from '@partnerkit/core';
import type { StorageFixture } from '../../src/index.ts';
import { breakPort, type Double } from './doubles.ts';

const broken = breakPort('queue');

type Breaks = Double<StorageFixture>['breaks'];

/** Settlements told otherwise than they came. */
const settling = (
  how: string,
  breaks: Breaks,
  change: (settlement: Settlement) => Settlement,
): Double<StorageFixture> =>
  broken(how, breaks, ({ settle }) => ({ settle: (settlements) => settle(settlements.map(change)) }));

/** Turns told otherwise than they were. */
const telling = (
  how: string,
  breaks: Breaks,
  teller: () => (turns: readonly EndpointTurn[]) => readonly EndpointTurn[],
): Double<StorageFixture> =>
  broken(how, breaks, ({ settle }) => {
    const tell = teller();
    return { settle: async (settlements) => tell(await settle(settlements)) };
  });

const blameless = { kind: 'failed', reason: 'internal', took: 0 } as const;
const isFailure = ({ next }: Settlement): boolean => next !== 'delivered' && next !== 'gone';

export const brokenBreakers: readonly Double<StorageFixture>[] = [
  settling(
    'no failure is the endpoint’s',
    [
      'attempts that fail in a row pause an endpoint, and the settlement that did so tells of it',
      'a dispatch leases nothing for a paused endpoint, nor for one that is being probed',
      'a dispatch probes a half-open endpoint with one delivery',
      'of many that claim at once one is given one delivery of a half-open endpoint',
      'each probe that fails pauses its endpoint for longer, up to the last pause, and tells of nothing',
      'many that are asked for one pause at once open no breaker, a wish after that does',
      'an endpoint that failed for days, often, and exhausted a delivery is disabled',
      'an endpoint that its partner disabled, or changed, while it failed may be',
      'it is disabled as early as it should, and no earlier',
      'whatever settles and whenever, endpoints turn and are leased as core has it',
    ],
    (settlement) => (isFailure(settlement) ? { ...settlement, outcome: blameless } : settlement),
  ),
  settling(
    'every failure is the endpoint’s',
    ['an attempt that nobody made, or whose worker died, is no failure of its endpoint'],
    (settlement) => ({
      ...settlement,
      outcome: settlement.outcome.kind === 'failed' ? { ...settlement.outcome, reason: 'reset' } : settlement.outcome,
    }),
  ),
  settling(
    'a success closes no breaker',
    ['a success between begins the count anew', 'a success of what was in flight ends the pause'],
    (settlement) =>
      settlement.next === 'delivered' ? { ...settlement, outcome: blameless, next: 'exhausted' } : settlement,
  ),
  settling(
    'a retry comes a hundred times later',
    ['the probe is what has most attempts behind it, then what fell due first'],
    (settlement) =>
      typeof settlement.next === 'object'
        ? { ...settlement, next: { retryIn: 100 * settlement.next.retryIn } }
        : settlement,
  ),
  settling(
    'no receiver is listened to',
    [
      'a receiver that asks to be left alone is, as long as it asks',
      'neither a success nor a smaller wish shortens the pause that was asked for',
    ],
    ({ pauseFor: _ignored, ...settlement }) => settlement,
  ),
  settling(
    'who is gone is tried again',
    [
      'an endpoint that is gone is disabled at once, and what waits is held',
      'the attempt that was told so is logged, and does not count',
    ],
    (settlement) => (settlement.next === 'gone' ? { ...settlement, next: { retryIn: minute } } : settlement),
  ),
  settling('every failure exhausts', ['one failure less, or nothing exhausted, disables nothing'], (settlement) =>
    isFailure(settlement) ? { ...settlement, next: 'exhausted' } : settlement,
  ),
  telling(
    'turns are told to nobody',
    [
      'a success closes the breaker, tells of it, and all goes on',
      'of many that settle at once each turn is told to one',
      'of many that settle at once one disables the endpoint',
    ],
    () => () => [],
  ),
  telling(
    'turns are told again and again',
    [
      'of many that settle at once each turn is told to one',
      'of many that settle at once one disables the endpoint',
      'an endpoint that failed and was deleted is forgotten',
    ],
    () => {
      const told: EndpointTurn[] = [];
      return (turns) => {
        told.push(...turns);
        return [...told];
      };
    },
  ),
  telling(
    'deliveries are not counted',
    ['attempts that fail in a row pause an endpoint, and the settlement that did so tells of it'],
    () => (turns) => turns.map((turn) => ({ ...turn, unfinished: 0 })),
  ),
];
