import type { DurationMs, EpochMs } from '@partnerkit/core';
import { currentSince } from './current-since.ts';
import { excusesOf } from './excuses.ts';
import { type Facts, firstWrong, type Law } from './facts.ts';
import { type Interval, outside } from './intervals.ts';
import type { LogRow } from './ledger.ts';
import { certainPausesOf } from './sending-pauses.ts';

/** The pause of sending to an endpoint at that time. */
const pauseAt = (facts: Facts, endpointId: string, at: EpochMs): Interval | undefined =>
  certainPausesOf(facts, endpointId).find(({ from, to }) => from <= at && at < to);

export const pausedAreNotSent: Law = {
  name: 'nothing is sent to what is paused, later than a poll after its pause was stored, until it is resumed',
  check: (facts) =>
    firstWrong(facts.trace.posts, (post) => {
      const endpointId = facts.ledger.deliveryOf(post)?.endpointId;
      const pause = endpointId === undefined ? undefined : pauseAt(facts, endpointId, post.at);
      return (
        pause !== undefined &&
        pause.from < currentSince(facts, post) &&
        `endpoint ${endpointId} was sent to at ${post.at - facts.trace.startedAt}, paused for ${post.at - pause.from} ms`
      );
    }),
};

/** Time until what was in flight when a pause began has ended and is stored, of a worker that nothing disrupts. */
const settleTime: DurationMs = 60_000;

/** Whether a row is of an attempt that was not made before a pause. A successor logs what its predecessor abandoned. */
const isOfPause = ({ outcome, post }: LogRow, { from }: Interval): boolean =>
  !(outcome.kind === 'failed' && outcome.reason === 'abandoned') && (post === undefined || post.at > from);

export const pausesKeepWhatWaits: Law = {
  name: 'a pause of sending ends no delivery, logs no attempt and disables no endpoint',
  check: (facts) => {
    const { disruptions } = excusesOf(facts);
    const lasted = (endpointId: string, at: EpochMs): DurationMs => {
      const pause = pauseAt(facts, endpointId, at);
      return pause ? outside({ from: pause.from, to: at }, disruptions) - facts.trace.history.pollEvery : 0;
    };
    return (
      firstWrong(facts.ledger.deliveries.values(), ({ id, endpointId, rows }) =>
        firstWrong(rows, (row) => {
          const pause = pauseAt(facts, endpointId, row.sentAt);
          return (
            pause !== undefined &&
            isOfPause(row, pause) &&
            lasted(endpointId, row.sentAt) > settleTime &&
            `attempt ${row.number} of delivery ${id} is logged, which is paused for ${row.sentAt - pause.from} ms`
          );
        }),
      ) ??
      firstWrong(facts.callsOf('deliveries.settle'), ({ args: [, { transitions }], result, sentAt }) =>
        result === undefined || result === 'fenced'
          ? undefined
          : firstWrong(result.transitions.entries(), ([index, { isDisabled }]) => {
              const endpointId = transitions[index]?.endpointId ?? '';
              return (
                isDisabled &&
                lasted(endpointId, sentAt) > settleTime &&
                `endpoint ${endpointId} is paused, and disabled`
              );
            }),
      ) ??
      firstWrong(facts.callsOf('log.prune'), ({ result, effectAt = 0 }) =>
        firstWrong(result?.expired ?? [], ({ endpointId, deliveries }) => {
          const state = facts.endpoints.get(endpointId)?.findLast(({ from }) => from <= effectAt)?.endpoint?.state;
          return (
            state === 'enabled' &&
            pauseAt(facts, endpointId, effectAt) !== undefined &&
            `${deliveries} deliveries of endpoint ${endpointId} expired, which is paused`
          );
        }),
      )
    );
  },
};
