import { type Attempt, second } from '@partnerkit/core';
import type { Trace } from './trace.ts';

/** An answer of the directory may be so old when an attempt begins. */
const staleness = 3 * second;

/** The delivery ended without an attempt. @internal */
export const wasOutOfReach = (log: readonly Attempt[]): boolean =>
  log.some((attempt) => attempt.kind === 'failed' && attempt.reason === 'out_of_reach');

const accountOfPublish = ({ history }: Trace, body: string): string => {
  const { data }: { readonly data: { readonly n: number } } = JSON.parse(body);
  return `account-${history.publishes[data.n]?.account}`;
};

/** @internal */
export const onlyWhoReachesIsSent = (trace: Trace): string | undefined => {
  const { endpoints, history, sent, childUntil = 0 } = trace;
  for (const { url, body, at } of sent) {
    const index = endpoints.findIndex((each) => each.url === url);
    const [owner, account] = [endpoints[index]?.accountId, accountOfPublish(trace, body)];
    if (owner === account) continue;
    if (!history.endpoints[index]?.includeChildren) return `an endpoint that includes no children was sent ${body}`;
    if (owner !== 'account-0') return `the child was sent an event of its parent: ${body}`;
    if (at >= childUntil + staleness) return `${at - childUntil} ms after it was a child, its parent was sent ${body}`;
  }
  return undefined;
};

/** @internal */
export const parentsGetCopies = ({ events, endpoints, deliveries, history, childUntil }: Trace): string | undefined => {
  if (childUntil !== Number.POSITIVE_INFINITY) return undefined;
  for (const [index, { id, accountId, steady }] of endpoints.entries()) {
    const script = history.endpoints[index];
    if (!steady || accountId !== 'account-0' || !script?.includeChildren) continue;
    for (const event of events) {
      if (event.accountId !== 'account-1' || !script.events.some((each) => each === event.type)) continue;
      const copies = deliveries.filter((each) => each.endpointId === id && each.eventId === event.id);
      if (copies.length !== 1) return `event ${event.id} of the child has ${copies.length} deliveries to its parent`;
      if (copies.some(({ log }) => wasOutOfReach(log))) return `event ${event.id} of a child was out of reach`;
    }
  }
  return undefined;
};
