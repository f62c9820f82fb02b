import { z } from 'zod';
import { withExample } from '../../base/fields/example.ts';
import { seen, seenIf } from '../../base/fields/field.ts';
import { seenAt, seenAtIf } from '../../base/fields/values.ts';
import { many, one, oneIf, type View, viewOf } from '../../base/fields/view.ts';
import { once } from '../../base/runtime/once.ts';
import type { EventPairs } from '../../webhooks/catalogue/pairs.ts';
import type { EndpointView } from '../../webhooks/endpoints/endpoint.ts';
import type { EndpointFields } from '../../webhooks/endpoints/endpoint-fields.ts';
import type { EndpointHealth } from '../../webhooks/endpoints/endpoint-store.ts';
import { disabledBy, lastAttempt } from './explanation.ts';
import { bounded } from './views.ts';

const count = once(() => z.int().min(0));

/** What is shown of an endpoint's health. */
const health = once(() =>
  viewOf(
    {
      status: seen(
        z.enum(['delivering', 'failing', 'paused', 'disabled']),
        '`delivering`: the last attempt succeeded, or there was none. `failing`: the last attempts failed. ' +
          '`paused`: it failed, and nothing is sent for a while. `disabled`: `disabledBy` says by whom.',
      ),
      failures: seen(count(), 'Failed attempts since the last success.'),
      failingSince: seenAtIf('When the first of these attempts ended.'),
      pausedUntil: seenAtIf('Until then, nothing but test events and deliveries sent again is sent.'),
      disabledBy: seenIf(disabledBy()),
      disabledSince: seenAtIf('Since when it is disabled.'),
      sendingPausedSince: seenAtIf('Since when the platform pauses sending: nothing is sent until it resumes.'),
    },
    { name: 'EndpointHealth', description: 'Whether deliveries of an endpoint succeed.' },
  ),
);

const statusOf = (found: EndpointHealth | undefined): 'delivering' | 'failing' | 'paused' | 'disabled' => {
  if (found === undefined) return 'delivering';
  if (found.disabledBy !== undefined) return 'disabled';
  return found.pausedUntil === undefined && found.sendingPausedSince === undefined ? 'failing' : 'paused';
};

const shownOnce = 'The webhook secret. It is shown once: only its ciphertext is stored.';

/** What is shown of endpoints. */
export const endpointViews = (fields: EndpointFields) => {
  const endpoint = viewOf(
    { ...fields, health: one(health()) },
    {
      name: 'Endpoint',
      description: 'A webhook endpoint.',
      example: {
        ...{
          id: 'endpoint_1',
          kind: 'push',
          url: 'https://partner.example.com/webhooks',
          events: ['creation', 'update'],
        },
        ...{ state: 'enabled', label: 'prod', standardWebhooks: false, includeChildren: false },
        ...{ createdAt: 1_798_761_600, rotating: false, health: { status: 'delivering', failures: 0 } },
      },
    },
  );
  const withSecret = viewOf(
    {
      endpoint: one(endpoint),
      secret: seen(withExample(z.string(), 'whsec_…'), shownOnce),
    },
    { name: 'NewWebhookSecret', description: 'An endpoint with a new webhook secret.' },
  );
  const created = viewOf(
    {
      endpoint: one(endpoint),
      secret: seenIf(
        withExample(z.string(), 'whsec_…'),
        `${shownOnce} Absent: of a pull endpoint, and of a repeated request.`,
      ),
    },
    { name: 'NewEndpoint', description: 'A new endpoint, with its webhook secret.' },
  );
  return { endpoint, withSecret, created };
};

/** An endpoint with its health; `undefined`: it neither fails nor is disabled. */
export const withHealth = (endpoint: EndpointView<EventPairs>, found: EndpointHealth | undefined) => ({
  ...endpoint,
  health: { failures: 0, ...found, status: statusOf(found) },
});

const failed = once(
  (): View =>
    viewOf(
      {
        clientError: seen(count(), 'Answered with 400 to 499.'),
        serverError: seen(count(), 'Answered with 500 to 599.'),
        otherStatus: seen(count(), 'Answered with another status, such as a redirect.'),
        timeout: seen(count(), 'Not answered in time.'),
        connection: seen(count(), 'No connection, or one that closed.'),
        tls: seen(count(), 'The TLS handshake failed.'),
        platform: seen(count(), 'Not sent, or the outcome was lost.'),
      },
      { name: 'FailureCounts', description: 'Failed attempts by kind.' },
    ),
);
const oneFailed = { clientError: 0, serverError: 1, otherStatus: 0, timeout: 0, connection: 0, tls: 0, platform: 0 };
const outcomes = once(() => ({
  delivered: seen(count(), 'Attempts that were answered with a 2xx status.'),
  failed: one(failed()),
}));

/** The figures of an endpoint. */
export const statistics = once(() =>
  viewOf(
    {
      endpointId: seen(z.string()),
      buckets: many(
        viewOf({ at: seenAt('When the hour or day begins.'), ...outcomes() }),
        'Every hour or day of UTC of the period, oldest first; the last is the current one.',
      ),
      total: one(viewOf(outcomes())),
      successRate: seenIf(
        z.number().min(0).max(1),
        'The part of the attempts that were delivered. Absent: there were none.',
      ),
      durations: oneIf(
        viewOf({
          medianMs: seen(z.number().min(0), 'Half of the answers took this long or less.'),
          p90Ms: seen(z.number().min(0), '90 % of the answers took this long or less.'),
        }),
        'How long answers took. Absent: there were none.',
      ),
      last: oneIf(lastAttempt()),
      waiting: seen(count(), `Deliveries that wait for an attempt. ${bounded}`),
      held: seen(count(), `Deliveries that wait for a disabled webhook. ${bounded}`),
      nextAttemptAt: seenAtIf('When the next attempt is due. Absent: nothing waits.'),
      pulledAt: seenAtIf('Of a pull endpoint: when its events were asked for, stored once a minute at most.'),
      isComplete: seen(
        z.boolean(),
        'Whether all attempts were counted. `false`: only those of the newest events of the account.',
      ),
    },
    {
      name: 'EndpointStatistics',
      description: 'The figures of a webhook endpoint.',
      example: {
        endpointId: 'endpoint_1',
        buckets: [{ at: 1_798_761_600, delivered: 41, failed: oneFailed }],
        total: { delivered: 41, failed: oneFailed },
        ...{ successRate: 0.976, durations: { medianMs: 84, p90Ms: 210 }, waiting: 0, held: 0, isComplete: true },
      },
    },
  ),
);
