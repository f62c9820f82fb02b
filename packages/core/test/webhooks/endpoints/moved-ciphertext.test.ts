import { expect, test } from 'vitest';
import { platform } from '../../support/kit.ts';

test('ciphertext moved to another endpoint does not open, even while its owner’s is cached', async () => {
  const { kit, storage, sender, signals } = platform();
  const make = async (accountId: string, host: string) => {
    const input = {
      url: `https://${host}/`,
      events: ['payed'],
      deliveryHeader: { name: 'X-Key', value: 'the victim’s'.replace('’', '-') },
    } as const;
    const { endpoint } = (await kit.endpoints.create(accountId, input))._unsafeUnwrap();
    return (await storage.endpoints.findEndpoint(accountId, endpoint.id)) as NonNullable<
      Awaited<ReturnType<typeof storage.endpoints.findEndpoint>>
    >;
  };
  const victim = await make('acc_a', 'victim.example');
  const attacker = await make('acc_b', 'attacker.example');
  const publish = (accountId: string) =>
    kit.events.publish(
      { accountId, objectName: 'RequestPayment', type: 'payed', data: { id: accountId } },
      { tx: 'new' },
    );
  const worker = kit.worker();
  await publish('acc_a');
  await worker.drain();
  const { secret, deliveryHeader } = victim;
  expect(
    await storage.endpoints.replaceEndpoint({
      ...attacker,
      ...(secret ? { secret } : {}),
      ...(deliveryHeader ? { deliveryHeader } : {}),
    }),
  ).toBe(true);
  await publish('acc_b');
  await worker.drain();
  expect(sender.posts.map(({ url }) => url)).toEqual(['https://victim.example/']);
  expect(signals.at(-1)).toMatchObject({ kind: 'attempt', accountId: 'acc_b', outcome: 'internal', next: 'retry' });
});
