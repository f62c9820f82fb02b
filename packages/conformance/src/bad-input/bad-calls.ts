import type { BadCall } from './bad-call.ts';
import { clientCalls } from './client-calls.ts';
import { deliveryCalls } from './delivery-calls.ts';
import { deliveryHeaderCalls, endpointCalls, urlCalls } from './endpoint-calls.ts';
import { eventCalls } from './event-calls.ts';

/** Every call of the table of bad input. */
export const badCalls: readonly BadCall[] = [
  ...urlCalls,
  ...deliveryHeaderCalls,
  ...endpointCalls,
  ...clientCalls,
  ...eventCalls,
  ...deliveryCalls,
];
