import type { DurationMs } from '@partnerkit/core';
import type { Dispatch } from './dispatch.ts';
import { excusesOf } from './excuses.ts';
import { type Facts, firstWrong, type Law } from './facts.ts';
import { outside } from './intervals.ts';
import { lease } from './numbers.ts';
import { selects } from './selects.ts';

/** Maximum time to find the parent of an account, with a working directory. */
const lookUp: DurationMs = 15_000;

/**
 * Maximum wait of an event until it is copied. Its dispatcher copies it soon; another worker checks at its prune
 * interval.
 */
const boundOf = ({ trace }: Facts, { process, at }: Dispatch): DurationMs => {
  const life = trace.lives.find((each) => each.process === process);
  const livedFor = Math.min(life?.stopRequestedAt ?? trace.endedAt, life?.diedAt ?? trace.endedAt) - at;
  const wasFenced = trace.calls.some((call) => call.process === process && call.result === 'fenced');
  const wasPaused = life?.pauses.some(({ from }) => from < at + 60_000) ?? false;
  const isNoisy = (trace.history.family?.faults ?? 0) > 0 && at < trace.startedAt + trace.history.noise.until + 10_000;
  const isOwn = livedFor > 60_000 && !wasFenced && !wasPaused && !isNoisy;
  return isOwn ? lookUp + trace.history.pollEvery : 2 * trace.history.pruneEvery + 120_000;
};

/** Whether endpoints of the parent selected such an event for the whole time. */
const isTaken = ({ endpoints, trace }: Facts, { event }: Dispatch): boolean =>
  [...endpoints.values()].some((versions) =>
    versions.every(
      ({ endpoint }) =>
        endpoint !== undefined &&
        endpoint.accountId === trace.accountIds[0] &&
        endpoint.state !== 'disabled' &&
        endpoint.includeChildren &&
        selects(endpoint, event),
    ),
  );

export const parentsGetCopies: Law = {
  name: 'an event of a child goes to its parent, once, with its timestamp',
  check: (facts) => {
    const { trace, ledger, callsOf } = facts;
    if (trace.childUntil !== Number.POSITIVE_INFINITY) return undefined;
    const [parent, child] = trace.accountIds;
    const { general } = excusesOf(facts);
    const copied = new Map<string, { readonly at: number; readonly parentId: string | undefined }>();
    for (const { args, result, effectAt = 0 } of callsOf('parents.propagate')) {
      if (result !== 'stored') continue;
      for (const { eventId, parentId } of args[1])
        if (!copied.has(eventId)) copied.set(eventId, { at: effectAt, parentId });
    }
    return firstWrong(ledger.dispatches.values(), (dispatch) => {
      const { accountId, event, at, timestamp } = dispatch;
      if (accountId !== child || event.origin !== undefined) return undefined;
      const copy = ledger.dispatches.get(`${parent} ${event.id}`);
      if (event.onlyTo !== undefined) return copy && `the test event ${event.id} of a child was copied to its parent`;
      if (copy && (copy.event.origin !== child || copy.timestamp < timestamp))
        return `the copy of event ${event.id} has the timestamp ${copy.timestamp} and not ${timestamp}`;
      if (copy || !isTaken(facts, dispatch)) return undefined;
      const taken = copied.get(event.id);
      if (taken && taken.parentId !== parent) return `event ${event.id} was taken away, and its parent forgotten`;
      const wait = outside({ from: taken?.at ?? at, to: trace.endedAt }, general);
      const bound = taken ? trace.history.pollEvery + lease : boundOf(facts, dispatch);
      return wait > bound && `event ${event.id} of a child has no copy after ${wait} ms`;
    });
  },
};
