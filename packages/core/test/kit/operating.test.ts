import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { expect, test } from 'vitest';
import { hour, minute } from '../../src/base/runtime/time.ts';
import { platform } from '../support/kit.ts';

const here = new URL('../', import.meta.url);
const page = readFileSync(new URL('../../../docs/operations/operating.md', here), 'utf8');
const fences = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, source = '']) => source);

test('every example of the page for operators runs', async () => {
  const { kit } = platform();
  const accountId = 'acc_a';
  const { endpoint } = (
    await kit.endpoints.create(accountId, { url: 'https://partner.example/', events: ['payed'] })
  )._unsafeUnwrap();
  const published = { accountId, objectName: 'RequestPayment', type: 'payed', data: { id: 'p' } } as const;
  const { eventId } = await kit.events.publish(published, { tx: 'new' });
  await kit.worker().drain();
  const [delivery] = (await kit.deliveries.list(accountId))._unsafeUnwrap().items;
  const told: unknown[] = [];
  const scope = {
    kit,
    hour,
    minute,
    accountId,
    eventId,
    endpointId: endpoint.id,
    deliveryId: delivery?.id,
    show: (...words: readonly unknown[]) => told.push(...words),
    page: (words: string) => told.push(words),
  };
  const Run = (async () => {}).constructor as new (
    ...source: readonly string[]
  ) => (...values: readonly unknown[]) => Promise<void>;
  for (const source of fences)
    await new Run(...Object.keys(scope), `{${stripTypeScriptTypes(source)}\n}`)(...Object.values(scope));
  expect(told).toEqual(expect.arrayContaining(['Delivered', 'Due:', delivery?.id]));
});
