import type { DurationMs, EpochMs } from '@partnerkit/core';
import type { DeliveryKey, SendingScope, SendOutcome } from '@partnerkit/core/adapter';
import { retryTable } from './laws/numbers.ts';
import type { Call } from './trace.ts';

/** Knows when something is due, so that the days between need no simulation. It decides nothing else. */
export interface Plan {
  note(call: Call): void;
  /** The next time from now on at which something is due. Absent: nothing is pending. */
  nextAt(now: EpochMs): EpochMs | undefined;
  /** Whether something is due, and not so long that it counts as forgotten. */
  isDue(now: EpochMs): boolean;
}

/** Anything that is due for longer is left to the laws. */
const forgottenAfter: DurationMs = 180_000;

const secondsIn = (retryAfter: string | undefined): DurationMs =>
  retryAfter !== undefined && /^\d+$/.test(retryAfter) ? Math.min(Number(retryAfter), 86_400) * 1_000 : 0;

const scopeKey = ({ accountId = '', endpointId = '' }: SendingScope): string => `${accountId} ${endpointId}`;

const requested = (outcome: SendOutcome | undefined): DurationMs =>
  outcome?.kind === 'answered' ? secondsIn(outcome.retryAfter) : 0;

export const createPlan = (heldFor: DurationMs): Plan => {
  const waiting = new Map<string, { readonly at: EpochMs } & Pick<DeliveryKey, 'accountId' | 'endpointId'>>();
  const pausedUntil = new Map<string, EpochMs>();
  const disabledAt = new Map<string, EpochMs>();
  /** Pauses of sending by their scope: until their end, which is infinite while they last. */
  const sendingPausedUntil = new Map<string, EpochMs>();

  const noteSettled = (call: Call<'deliveries.settle'>, at: EpochMs): void => {
    if (call.result === undefined || call.result === 'fenced') return;
    const [, { attempts, pending, queued, finished, health, transitions }] = call.args;
    const keyOf = ({ eventId, endpointId }: { readonly eventId: string; readonly endpointId: string }) =>
      `${eventId} ${endpointId}`;
    const outcomes = new Map(attempts.map((attempt) => [keyOf(attempt), attempt.outcome]));
    for (const each of finished) waiting.delete(keyOf(each));
    // It waits for its endpoint, which may be paused.
    for (const each of queued) waiting.set(keyOf(each), { at, accountId: each.accountId, endpointId: each.endpointId });
    for (const { state, dueIn, attempts: made, endpointId, ...key } of pending) {
      const { accountId } = key;
      // The store is trusted as far as it can be right.
      const least = retryTable[made - 1] ?? 0;
      const most = Math.max(least * 1.1, requested(outcomes.get(keyOf({ ...key, endpointId }))));
      const wait = state === 'queued' ? 0 : Math.min(Math.max(dueIn, least), most);
      waiting.set(keyOf({ ...key, endpointId }), { at: at + wait, accountId, endpointId });
    }
    for (const { endpointId, health: stored } of health)
      pausedUntil.set(endpointId, at + Math.max(stored?.openFor ?? 0, stored?.retryAfterFor ?? 0));
    call.result.transitions.forEach(({ isDisabled }, index) => {
      const endpointId = transitions[index]?.endpointId;
      if (isDisabled && endpointId !== undefined) disabledAt.set(endpointId, at);
    });
  };

  const noteEndpoint = (call: Call, at: EpochMs): void => {
    if (call.result !== true) return;
    if (call.name === 'endpoints.deleteEndpoint') {
      const [, endpointId] = (call as Call<'endpoints.deleteEndpoint'>).args;
      for (const [key, each] of waiting) if (each.endpointId === endpointId) waiting.delete(key);
    }
    if (call.name === 'endpoints.resumeEndpoint')
      pausedUntil.delete((call as Call<'endpoints.resumeEndpoint'>).args[1]);
    if (call.name !== 'endpoints.replaceEndpoint') return;
    const [{ id, state }] = (call as Call<'endpoints.replaceEndpoint'>).args;
    if (state === 'enabled') {
      if (disabledAt.delete(id)) pausedUntil.delete(id);
    } else if (!disabledAt.has(id)) disabledAt.set(id, at);
  };

  const noteSending = ({ name, args: [scope] }: Call<'sending.pause' | 'sending.resume'>, at: EpochMs): void => {
    const key = scopeKey(scope);
    if (name === 'sending.pause') sendingPausedUntil.set(key, Number.POSITIVE_INFINITY);
    else if (sendingPausedUntil.has(key)) sendingPausedUntil.set(key, at);
  };

  /** When each delivery is due or expires; never while sending is paused. */
  const moments = function* (): Generator<EpochMs> {
    for (const { at, accountId, endpointId } of waiting.values()) {
      const since = disabledAt.get(endpointId);
      if (since !== undefined) {
        yield since + heldFor;
        continue;
      }
      const scopes: readonly SendingScope[] = [{}, { accountId }, { accountId, endpointId }];
      const ends = scopes.map((scope) => sendingPausedUntil.get(scopeKey(scope)) ?? at);
      const due = Math.max(at, pausedUntil.get(endpointId) ?? at, ...ends);
      if (due !== Number.POSITIVE_INFINITY) yield due;
    }
  };

  return {
    note: (call) => {
      const at = call.effectAt;
      if (at === undefined) return;
      if (call.name === 'deliveries.settle') noteSettled(call as Call<'deliveries.settle'>, at);
      else if (call.name === 'sending.pause' || call.name === 'sending.resume')
        noteSending(call as Call<'sending.pause' | 'sending.resume'>, at);
      else noteEndpoint(call, at);
    },
    nextAt: (now) => {
      let next: EpochMs | undefined;
      for (const at of moments()) if (at >= now && (next === undefined || at < next)) next = at;
      return next;
    },
    isDue: (now) => {
      for (const at of moments()) if (at < now && at >= now - forgottenAfter) return true;
      return false;
    },
  };
};
