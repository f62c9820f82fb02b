import { deliveryKey, keyText } from '../delivery-key.ts';
import { type Facts, firstWrong, type Law } from './facts.ts';

/** Whether the trace is too short for anything to be pruned. */
const isYoung = ({ trace }: Facts): boolean => trace.endedAt - trace.startedAt < trace.history.retention.events / 2;

export const replaysSendAgain: Law = {
  name: 'a replay makes a delivery of each event that its endpoint takes and is not waiting for',
  check: (facts) => {
    const { made, isKnown, wrong } = facts.ledger.replays;
    if (wrong !== undefined || !isYoung(facts)) return wrong;
    const stored = new Set(facts.trace.deliveries.map(({ accountId, id }) => keyText(deliveryKey(accountId, id))));
    return (
      firstWrong(made, ([text]) => !stored.has(text) && `delivery ${text} was made by a replay, and is not there`) ??
      firstWrong(facts.trace.deliveries, ({ accountId, id }) => {
        const key = deliveryKey(accountId, id);
        return (
          key.replay > 0 &&
          isKnown(key.endpointId) &&
          !made.has(keyText(key)) &&
          `delivery ${keyText(key)} is there, and no replay made it`
        );
      })
    );
  },
};
