import { z } from 'zod';
import { documentation } from '#documentation';
import { type Fields, seen, seenIf } from '../../base/fields/field.ts';
import { seenAt } from '../../base/fields/values.ts';
import { oneIf, viewOfKinds } from '../../base/fields/view.ts';
import { once } from '../../base/runtime/once.ts';
import { sendFailures } from '../../base/signals/send-failure.ts';
import type { SendOutcome } from '../../webhooks/deliveries/sender.ts';
import type { Explanation } from '../../webhooks/log/explain.ts';

const durationMs = once(() => seen(z.number().min(0), 'Time until the response headers or the failure.'));

/** Who disabled an endpoint. */
export const disabledBy = once(() =>
  z.enum(['partner', 'host', 'failing', 'gone']).register(documentation, {
    description: '`partner`: you. `host`: the platform. `failing`: it failed for too long. `gone`: it answered 410.',
  }),
);

/** Why an attempt failed. The comments of `SendFailure` say more. */
const failureReason = once(() =>
  z.enum(sendFailures).register(documentation, {
    description:
      'Why there was no answer. `timeout`: no answer in time. `dns`: the name did not resolve. ' +
      '`forbidden_address`: the address is not public. `connect`: no connection. `tls`: the handshake failed. ' +
      '`tls_certificate_expired`: your certificate has expired, or is not valid yet. ' +
      '`tls_certificate_name`: it is for another name. `tls_certificate_incomplete`: an intermediate is missing. ' +
      '`tls_certificate_self_signed`: it is issued by itself. `tls_certificate_untrusted`: its root is not trusted. ' +
      '`tls_client_certificate`: you require a client certificate. `tls_version`: TLS 1.2 or later is needed. ' +
      '`tls_application_protocol`: HTTP/1.1 is needed. `tls_missing`: the port does not speak TLS. ' +
      '`reset`: the connection closed before the answer. `http_incomplete`: it closed within the headers. ' +
      '`http_invalid_header`: a header of the answer is invalid. `http_invalid_length`: its length is invalid. ' +
      '`http_invalid_line_end`: a line does not end with CR LF. `http_headers_too_large`: headers over 16 KiB. ' +
      '`http_continue`: it was 100 (Continue). `http_protocol_error`: it was not HTTP/1.1. ' +
      '`abandoned`: the outcome was lost; the event is sent again. `internal`: the platform failed. ' +
      '`out_of_reach`: the account is no longer a child of yours.',
  }),
);

/** The fields of each outcome, and more. */
const outcomesWith = (more: Fields) =>
  ({
    answered: {
      status: seen(z.int().min(100).max(999), 'The HTTP status of the answer.'),
      retryAfter: seenIf(z.string(), 'Its `Retry-After`.'),
      body: seen(z.string(), 'The first 4 KiB of the answer.'),
      durationMs: durationMs(),
      ...more,
    },
    failed: { reason: seen(failureReason()), durationMs: durationMs(), ...more },
  }) satisfies Readonly<Record<SendOutcome['kind'], Fields>>;

const at = once(() => seenAt('When the outcome was stored.'));
const deliveryId = once(() => seen(z.string(), 'The delivery: one event for one endpoint.'));

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
  attempts: seen(z.int().min(0), 'Attempts that count towards exhaustion.'),
  last: oneIf(viewOfKinds(outcomesWith({})), 'The last attempt. Absent: none ended yet.'),
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
        by: seen(disabledBy()),
      },
      expired: {
        ...ofDelivery(),
        at: seenAt('When it expired.'),
        reason: seen(
          z.enum(['endpoint_deleted', 'held_too_long', 'out_of_reach']),
          '`endpoint_deleted`: the webhook was deleted. `held_too_long`: it was disabled for too long. ' +
            '`out_of_reach`: the account is no longer a child of yours.',
        ),
      },
      not_dispatched_yet: {},
      not_propagated_yet: {},
      children_not_included: {},
      forgotten: {},
      not_pulled_yet: {},
      pulled: {},
      for_another: { endpointId: seen(z.string(), 'The endpoint of the test event.') },
      not_subscribed: { events: seen(z.array(z.string()), 'What the endpoint selects.') },
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
    {
      delivered: 'A webhook answered with 2xx.',
      exhausted: 'The last attempt failed. Send it again.',
      waiting: 'An attempt is due, or in flight.',
      paused: 'The webhook failed, or asked for a pause by `Retry-After`.',
      held: 'The webhook is disabled. The delivery keeps its schedule, and goes on when it is enabled.',
      expired: 'It ended without delivery.',
      not_dispatched_yet: 'The platform has not sent it yet.',
      not_propagated_yet: 'The event of a child account is not yet with its parent.',
      children_not_included: 'The webhook did not include child accounts.',
      forgotten: 'It is too long ago.',
      not_pulled_yet: 'It waits for your program. After a request for what comes next, up to a minute passes.',
      pulled: 'Your program has asked for what comes after it.',
      for_another: 'It is a test event of another webhook.',
      not_subscribed: 'The webhook did not select it.',
      disabled_then: 'The webhook was disabled, and kept no events. Replay them.',
      created_later: 'The webhook was created later.',
      deleted_before: 'The webhook was deleted before.',
    },
  );
});
