import type { EpochMs } from '@partnerkit/core';
import type { SendingScope } from '@partnerkit/core/adapter';
import type { Call } from '../trace.ts';
import type { Facts } from './facts.ts';
import { type Interval, union } from './intervals.ts';

/** A call that begins or ends a pause of sending. */
type Change = Call<'sending.pause' | 'sending.resume'>;

/** A pause of sending, between the calls that began and ended it. */
interface Pause {
  readonly scope: SendingScope;
  readonly began: Change;
  /** Absent: it lasts. */
  ended?: Change;
}

/** The pauses of a history. */
export interface SendingPauses {
  readonly pauses: readonly Pause[];
  /** Calls that changed something: all others asked for what was there. */
  readonly changes: ReadonlySet<Change>;
}

const read = new WeakMap<Facts, SendingPauses>();

const keyOf = ({ accountId = '', endpointId = '' }: SendingScope): string => `${accountId} ${endpointId}`;

/** Repeats each pause and its end, in the order of effects. */
const readPauses = ({ effects }: Facts): SendingPauses => {
  const pauses: Pause[] = [];
  const open = new Map<string, Pause>();
  const changes = new Set<Change>();
  for (const call of effects as readonly Change[]) {
    if ((call.name !== 'sending.pause' && call.name !== 'sending.resume') || call.isRefused) continue;
    const [scope] = call.args;
    const known = open.get(keyOf(scope));
    if ((call.name === 'sending.pause') === (known !== undefined)) continue;
    changes.add(call);
    if (known) {
      known.ended = call;
      open.delete(keyOf(scope));
    } else {
      const pause = { scope, began: call };
      pauses.push(pause);
      open.set(keyOf(scope), pause);
    }
  }
  return { pauses, changes };
};

export const sendingPauses = (facts: Facts): SendingPauses => {
  const known = read.get(facts) ?? readPauses(facts);
  read.set(facts, known);
  return known;
};

const startOf = ({ effectAt = 0 }: Change): EpochMs => effectAt;
const endOf = ({ doneAt = Number.POSITIVE_INFINITY }: Change): EpochMs => doneAt;

const concerning = (facts: Facts, endpointId: string): readonly Pause[] => {
  const accountId = facts.endpoints.get(endpointId)?.[0]?.endpoint?.accountId;
  return sendingPauses(facts).pauses.filter(
    ({ scope }) =>
      (scope.accountId === undefined || scope.accountId === accountId) &&
      (scope.endpointId === undefined || scope.endpointId === endpointId),
  );
};

/** When sending to an endpoint may have been paused: by itself, its account or everything. */
export const sendingPausesOf = (facts: Facts, endpointId: string): readonly Interval[] =>
  union(
    concerning(facts, endpointId).map(({ began, ended }) => ({
      from: startOf(began),
      to: ended ? endOf(ended) : Number.POSITIVE_INFINITY,
    })),
  );

/** When sending to an endpoint was paused without doubt. */
export const certainPausesOf = (facts: Facts, endpointId: string): readonly Interval[] =>
  union(
    concerning(facts, endpointId).map(({ began, ended }) => ({
      from: endOf(began),
      to: ended ? startOf(ended) : Number.POSITIVE_INFINITY,
    })),
  );
