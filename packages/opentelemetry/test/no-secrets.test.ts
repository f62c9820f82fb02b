import type { DeliveryRequest } from '@partnerkit/core/adapter';
import { memorySender, memoryStorage } from '@partnerkit/core/memory';
import { expect, test } from 'vitest';
import { openTelemetry } from '../src/index.ts';
import { openKit, payed } from './support/kit.ts';
import { telemetry } from './support/telemetry.ts';

test('no API key, webhook secret, client secret, signature, URL or payload is in a span or a metric', async () => {
  const { tracerProvider, meterProvider, spans, measured } = telemetry();
  let answers = 0;
  const sender = memorySender(({ body }: DeliveryRequest) => {
    answers++;
    return { kind: 'answered', status: answers === 1 ? 200 : 500, body: `echo of ${body}`, durationMs: 1 };
  });
  const kit = openKit(memoryStorage(), sender, openTelemetry({ tracerProvider, meterProvider }));
  const client = (await kit.clients.create('acc_a', { name: 'Booking system' }))._unsafeUnwrap();
  const created = await kit.endpoints.create('acc_a', {
    url: 'https://partner.example/a-token-in-a-path',
    events: ['payed'],
    deliveryHeader: { name: 'x-api-key', value: 'an-api-key-value' },
  });
  const { secret } = created._unsafeUnwrap();
  await kit.events.publish(payed('p1', 'a-payload-value'), { tx: 'new', idempotencyKey: 'a-host-key' });
  await kit.events.publish(payed('p2', 'a-payload-value'), { tx: 'new' });
  await kit.worker().drain();
  expect(spans()).toHaveLength(6);
  const metrics = await measured();
  const written = JSON.stringify([
    spans().map(({ name, attributes, events, links, status }) => [name, attributes, events, links, status]),
    [...metrics],
  ]);
  const signatures = sender.posts.map(({ headers }) => headers['x-webhook-signature'] ?? 'none');
  expect(signatures).toHaveLength(2);
  for (const hidden of [client.secret, secret, ...signatures, 'an-api-key-value', 'a-payload-value', 'echo of'])
    expect(written).not.toContain(hidden);
  for (const hidden of ['a-token-in-a-path', 'partner.example', 'a-host-key']) expect(written).not.toContain(hidden);
});
