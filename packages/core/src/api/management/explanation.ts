import { z } from 'zod';
import { type Fields, seen, seenIf } from '../../base/fields/field.ts';
import { seenAt } from '../../base/fields/values.ts';
import { oneIf, viewOfKinds } from '../../base/fields/view.ts';
import { once } from '../../base/runtime/once.ts';
import { sendFailures } from '../../base/signals/send-failure.ts';
import type { SendOutcome } from '../../webhooks/deliveries/sender.ts';
import type { Explanation } from '../../webhooks/log/explain.ts';

const durationMs = once(() => seen(z.number().min(0), 'Time until the response headers or the failure.'));

/** The fields of each outcome, and more. */
const outcomesWith = (more: Fields) =>
  ({
    answered: {
      status: seen(z.int().min(100).max(999)),
      retryAfter: seenIf(z.string()),
      body: seen(z.string(), 'The first 4 KiB of the answer.'),
      durationMs: durationMs(),
      ...more,
    },
    failed: { reason: seen(z.enum(sendFailures)), durationMs: durationMs(), ...more },
  }) satisfies Readonly<Record<SendOutcome['kind'], Fields>>;

const at = once(() => seenAt('When the outcome was stored.'));
const deliveryId = once(() => seen(z.string()));

/** One attempt of a delivery. */
export const attempt = once(() =>
  viewOfKinds(outcomesWith({ at: at() }), {
    name: 'Attempt',
    description: 'One HTTP POST of a delivery, with its outcome.',
    example: { kind: 'answered', status: 204, body: '', durationMs: 84, at: 1_798_761_600 },
  }),
);

/** The last attempt of an endpoint. */
export const lastAttempt = once(() =>
  viewOfKinds(outcomesWith({ at: at(), deliveryId: deliveryId() }), {
    name: 'LastAttempt',
    description: 'The last attempt of a webhook endpoint.',
  }),
);

/** Without `unopenedKeyId`, which concerns only the platform. */
const ofDelivery = once(() => ({
  deliveryId: deliveryId(),
  attempts: seen(z.int().min(0)),
  last: oneIf(viewOfKinds(outcomesWith({}))),
}));

/** What became of an event for an endpoint. */
export const explanation = once(() => {
  const finished = { ...ofDelivery(), at: seenAt('When the last attempt ended.') };
  return viewOfKinds(
    {
      delivered: finished,
      exhausted: finished,
      waiting: { ...ofDelivery(), dueAt: seenAt('When the attempt is due.') },
      paused: { ...ofDelivery(), until: seenAt('When the pause ends.') },
      sending_paused: { ...ofDelivery(), since: seenAt('Since when the platform pauses sending.') },
      held: {
        ...ofDelivery(),
        since: seenAt('Since when the delivery is held.'),
        by: seen(z.enum(['partner', 'host', 'failing', 'gone'])),
      },
      expired: {
        ...ofDelivery(),
        at: seenAt('When it expired.'),
        reason: seen(z.enum(['endpoint_deleted', 'held_too_long', 'out_of_reach'])),
      },
      not_dispatched_yet: {},
      not_propagated_yet: {},
      children_not_included: {},
      forgotten: {},
      not_pulled_yet: {},
      pulled: {},
      for_another: { endpointId: seen(z.string()) },
      not_subscribed: { events: seen(z.array(z.string())) },
      disabled_then: { since: seenAt('Since when the endpoint had the settings that it had then.') },
      created_later: { at: seenAt('When the endpoint was created.') },
      deleted_before: { at: seenAt('When the endpoint was deleted.') },
    } satisfies Readonly<Record<Explanation['kind'], Fields>>,
    {
      name: 'Explanation',
      description: 'What became of an event for an endpoint.',
      example: {
        ...{ kind: 'delivered', deliveryId: 'delivery_1', attempts: 1, at: 1_798_761_600 },
        last: { kind: 'answered', status: 204, body: '', durationMs: 84 },
      },
    },
  );
});
