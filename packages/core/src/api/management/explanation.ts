import { z } from 'zod';
import { documentation } from '#documentation';
import { toSeconds } from '../../base/runtime/time.ts';
import { sendFailures } from '../../base/signals/send-failure.ts';
import type { SendOutcome } from '../../webhooks/deliveries/sender.ts';
import type { Attempt } from '../../webhooks/log/delivery-log.ts';
import type { Explanation } from '../../webhooks/log/explain.ts';

const seconds = z.int().min(0).register(documentation, { description: 'Seconds since 1970-01-01T00:00:00Z.' });
const durationMs = z
  .number()
  .min(0)
  .register(documentation, { description: 'Time until the response headers or the failure.' });
const answered = {
  kind: z.literal('answered'),
  status: z.int().min(100).max(999),
  retryAfter: z.string().optional(),
  body: z.string().register(documentation, { description: 'The first 4 KiB of the answer.' }),
  durationMs,
};
const failed = {
  kind: z.literal('failed'),
  reason: z.enum(sendFailures),
  durationMs,
};

/** @internal */
export const attemptSchema = z
  .union([z.strictObject({ ...answered, at: seconds }), z.strictObject({ ...failed, at: seconds })])
  .register(documentation, { name: 'Attempt', description: 'One HTTP POST of a delivery, with its outcome.' });

const outcomeSchema = z.union([z.strictObject(answered), z.strictObject(failed)]);

const deliveryId = z.string();

/** @internal */
export const lastAttemptSchema = z
  .union([
    z.strictObject({ ...answered, at: seconds, deliveryId }),
    z.strictObject({ ...failed, at: seconds, deliveryId }),
  ])
  .register(documentation, { name: 'LastAttempt', description: 'The last attempt of a webhook endpoint.' });

/** @internal */
export const viewAttempt = <A extends Attempt>({ at, ...outcome }: A) => ({ ...outcome, at: toSeconds(at) });

const ofDelivery = {
  deliveryId: z.string(),
  attempts: z.int().min(0),
  last: (outcomeSchema as z.ZodType<SendOutcome>).optional(),
};

/** @internal */
export const explanationSchema = z
  .union([
    z.strictObject({ kind: z.enum(['delivered', 'exhausted']), ...ofDelivery, at: seconds }),
    z.strictObject({ kind: z.literal('waiting'), ...ofDelivery, dueAt: seconds }),
    z.strictObject({ kind: z.literal('paused'), ...ofDelivery, until: seconds }),
    z.strictObject({
      kind: z.literal('held'),
      ...ofDelivery,
      since: seconds,
      by: z.enum(['partner', 'host', 'failing', 'gone']),
    }),
    z.strictObject({
      kind: z.literal('expired'),
      ...ofDelivery,
      at: seconds,
      reason: z.enum(['endpoint_deleted', 'held_too_long', 'out_of_reach']),
    }),
    z.strictObject({
      kind: z.enum(['not_dispatched_yet', 'not_propagated_yet', 'children_not_included', 'forgotten']),
    }),
    z.strictObject({ kind: z.literal('for_another'), endpointId: z.string() }),
    z.strictObject({ kind: z.literal('not_subscribed'), events: z.array(z.string()).readonly() }),
    z.strictObject({ kind: z.literal('disabled_then'), since: seconds }),
    z.strictObject({ kind: z.enum(['created_later', 'deleted_before']), at: seconds }),
  ])
  .register(documentation, { name: 'Explanation', description: 'What became of an event for an endpoint.' });

/** Its times in seconds, without what concerns only the platform. @internal */
export const viewExplanation = (explanation: Explanation): z.input<typeof explanationSchema> => {
  const { unopenedKeyId: _platform, ...shown } = { unopenedKeyId: undefined, ...explanation };
  switch (shown.kind) {
    case 'delivered':
    case 'exhausted':
    case 'expired':
    case 'created_later':
    case 'deleted_before':
      return { ...shown, at: toSeconds(shown.at) };
    case 'waiting':
      return { ...shown, dueAt: toSeconds(shown.dueAt) };
    case 'paused':
      return { ...shown, until: toSeconds(shown.until) };
    case 'held':
    case 'disabled_then':
      return { ...shown, since: toSeconds(shown.since) };
    default:
      return shown;
  }
};
