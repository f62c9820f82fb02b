import { expect, test } from 'vitest';
import { idempotentHandler } from '../../src/requests/http/idempotent-handler.ts';
import { createRequests } from '../../src/requests/requests.ts';
import { alone, done, own, recipient, requestWorld } from './world.ts';

test('an object that is no kit is refused, and the message says what to hand over', () => {
  const { kit } = requestWorld();
  const { accountRoute, events, endpoints, catalogue } = kit;
  const foreign = { accountRoute, events, endpoints, catalogue };
  expect(() => createRequests({ kit: foreign })).toThrow(
    new TypeError('createRequests: the option kit is no kit. Hand over what createPartnerkit returned.'),
  );
  expect(() => idempotentHandler(foreign, async () => ({ status: 204, headers: {}, body: '' }))).toThrow(
    new TypeError('idempotentHandler: this is no kit. Hand over what createPartnerkit returned.'),
  );
});

test('a kit whose calls the host wraps is still a kit', async () => {
  const { kit } = requestWorld();
  const published: string[] = [];
  const wrapped = {
    ...kit,
    events: {
      ...kit.events,
      publishMany: async (...[events, options]: Parameters<typeof kit.events.publishMany>) => {
        published.push(...events.map(({ type }) => type));
        return kit.events.publishMany(events, options);
      },
    },
  };
  const { payments } = createRequests({ kit: wrapped });
  await done(payments.create(own.id, { name: 'Stay', amount: 1, currency: 'EUR', recipient }, alone));
  expect(published).toEqual(['creation']);
});
