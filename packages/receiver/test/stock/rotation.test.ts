import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPlatform } from './platform.ts';
import { signatureReceivers, standardReceiver } from './verifiers.ts';

let platform: Awaited<ReturnType<typeof startPlatform>>;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

/** Which receivers take a delivery with the old secret, and which with the next one. */
const takenWith = async (next: string) => {
  const delivery = await platform.deliver({ id: 'pay_é' });
  const names = async (secret: string): Promise<readonly string[]> => {
    const taken: string[] = [];
    for (const { name, accepts } of [...signatureReceivers, standardReceiver])
      if (await accepts(delivery, secret)) taken.push(name);
    return taken;
  };
  return { old: await names(platform.secret), next: await names(next) };
};

test('a prepared secret verifies Standard Webhooks beside the old one; after activation only it verifies', async () => {
  const every = [...signatureReceivers, standardReceiver].map(({ name }) => name);
  const next = await platform.prepareSecret();
  expect(await takenWith(next)).toEqual({ old: every, next: [standardReceiver.name] });
  await platform.activateSecret();
  expect(await takenWith(next)).toEqual({ old: [], next: every });
});
