import { z } from 'zod';
import { seen, seenIf, shownAs } from '../../base/fields/field.ts';
import { seenAt, seenAtIf } from '../../base/fields/values.ts';
import { oneIf, viewOf } from '../../base/fields/view.ts';
import { once } from '../../base/runtime/once.ts';
import type { ListedEvent } from '../../webhooks/events/event.ts';
import type { OperationAnswer } from '../operations/operation.ts';

/** An answer about a new object. */
export const created = (answer: OperationAnswer): OperationAnswer => ({
  ...answer,
  headers: { ...answer.headers, Location: 'The path of the new object.' },
});

const text = once(() => seen(z.string()));
const counted = once(() => z.int().min(0));
export const bounded = 'At most 10,000: this value means "10,000 or more".';
/** The timestamp of an envelope is in seconds. */
const timestamp = once(() => seenAt('The timestamp of the envelope.').view);
const isTest = 'Whether it is a test event.';
const aboutFields = once(() => ({
  objectName: seen(z.string(), 'The kind of the object that the event is about.'),
  objectId: seen(z.string(), 'The `id` of that object.'),
  type: seen(z.string(), 'What happened to it.'),
}));
const listedFields = once(() => ({
  id: text(),
  ...aboutFields(),
  occurredAt: seenAtIf('When it happened.'),
  isTest: shownAs(seen(z.boolean(), isTest), ({ onlyTo }: ListedEvent) => onlyTo !== undefined),
  childAccountId: shownAs(
    seenIf(z.string(), 'The child account of the event. Absent: the account itself.'),
    ({ origin }: ListedEvent) => origin,
  ),
  timestamp: seenIf(timestamp(), 'The timestamp of the envelope. Absent: not dispatched yet.'),
}));

const about = { objectName: 'RequestPayment', objectId: 'example_1', type: 'payed' };
const exampleEvent = { id: 'event_1', ...about, isTest: false, timestamp: 1_798_761_600 };

/** An event of a list. */
export const listedEvent = once(() =>
  viewOf(listedFields(), {
    name: 'ListedEvent',
    description: 'A published event, without its body.',
    example: exampleEvent,
  }),
);

export const event = once(() =>
  viewOf(
    {
      ...listedFields(),
      body: seenIf(z.string(), 'The body that is signed and sent. Absent: not dispatched yet.'),
    },
    {
      name: 'Event',
      description: 'A published event.',
      example: {
        ...exampleEvent,
        body: '{"timestamp":1798761600,"data":{"id":"example_1"},"objectName":"RequestPayment","type":"payed"}',
      },
    },
  ),
);

/** The states of deliveries. */
export const deliveryStates = ['waiting', 'held', 'delivered', 'exhausted', 'expired'] as const;

export const delivery = once(() =>
  viewOf(
    {
      id: text(),
      eventId: seen(z.string(), 'The event that is delivered.'),
      endpointId: seen(z.string(), 'The endpoint that it is delivered to.'),
      state: seen(
        z.enum(deliveryStates),
        '`waiting`: an attempt is due. `held`: the webhook is disabled. `delivered`: it answered with 2xx. ' +
          '`exhausted`: the last attempt failed. `expired`: it ended without delivery.',
      ),
      attempts: seen(z.int().min(0), 'Attempts that count towards exhaustion.'),
      event: oneIf(
        viewOf({ ...aboutFields(), timestamp: seen(timestamp()), isTest: seen(z.boolean(), isTest) }),
        'What the event is about. Absent: it was pruned.',
      ),
    },
    {
      name: 'Delivery',
      description: 'One event for one endpoint.',
      example: {
        ...{ id: 'delivery_1', eventId: 'event_1', endpointId: 'endpoint_1', state: 'delivered', attempts: 1 },
        event: { ...about, timestamp: 1_798_761_600, isTest: false },
      },
    },
  ),
);

/** Unfinished work. */
export const backlog = once(() =>
  viewOf(
    {
      undispatched: seen(counted(), `Events that are not sent yet. ${bounded}`),
      waiting: seen(counted(), `Deliveries that wait for an attempt. ${bounded}`),
      held: seen(counted(), `Deliveries that wait for a disabled webhook. ${bounded}`),
      oldestDueMs: shownAs(
        seenIf(z.number().min(0), 'Age of the oldest due delivery in milliseconds.'),
        ({ oldestDue }: { readonly oldestDue?: number }) => oldestDue,
      ),
    },
    {
      name: 'Backlog',
      description: 'Unfinished work. Counts stop at 10,000, which then means "at least".',
      example: { undispatched: 0, waiting: 2, held: 0, oldestDueMs: 1_250 },
    },
  ),
);
