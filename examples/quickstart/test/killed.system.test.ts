import { expect, test } from 'vitest';
import { sized } from '../../../tools/tests/effort.ts';
import { newFolder, startIn } from './support/start.ts';

const untilServing = async (started: ReturnType<typeof startIn>) => {
  const serving = () => started.output.out.includes('Ctrl+C ends it.') || started.child.exitCode !== null;
  await expect.poll(serving, { timeout: 240_000 }).toBe(true);
  const { printed } = started;
  return {
    ...started,
    baseUrl: printed(/goes on serving at (\S+)\. Try/),
    token: printed(/Authorization: Bearer ([^']+)'/),
    login: printed(/login -H 'Content-Type: application\/json' -d '([^']+)'/),
    controls: printed(/break the receiver: curl -s -X POST (\S+)\/break/),
  };
};

/** The payments whose webhooks were confirmed. */
const delivered = (out: string): string[] =>
  [...out.matchAll(/webhook, answered 204:\n(.*)/g)].map(([, body = '']) => JSON.parse(body).data.id);

const pay = async (baseUrl: string): Promise<string> => {
  const response = await fetch(`${baseUrl}/pretend-that-somebody-paid`, { method: 'POST' });
  return ((await response.json()) as { readonly id: string }).id;
};

test('killed between publish and delivery, and started again, it delivers at the same address with the same keys', async () => {
  const folder = newFolder();
  const first = await untilServing(startIn(folder));
  await fetch(`${first.controls}/break`, { method: 'POST' });
  const id = await pay(first.baseUrl);
  first.child.kill('SIGKILL');
  await first.ended;
  expect(delivered(first.output.out)).not.toContain(id);

  const second = await untilServing(startIn(folder));
  expect(second.baseUrl).toBe(first.baseUrl);
  expect(second.login).toBe(first.login);
  const own = await fetch(`${second.baseUrl}/api/v1/partner/organisations/org_child/me`, {
    headers: { authorization: `Bearer ${first.token}` },
  });
  expect(own.status).toBe(200);
  await expect.poll(() => delivered(second.output.out), { timeout: 240_000 }).toEqual([id]);
  second.child.kill('SIGINT');
  expect(await second.ended, second.output.err).toBe(0);
});

test.runIf(sized(false, true))('killed twenty times, it loses no acknowledged payment', async () => {
  const folder = newFolder();
  const acknowledged: string[] = [];
  const confirmed: string[] = [];
  for (let round = 0; round < 20; round++) {
    const started = await untilServing(startIn(folder));
    // From the second round on, deliveries of the killed process come first.
    if (round > 0)
      await expect.poll(() => delivered(started.output.out).length, { timeout: 240_000 }).toBeGreaterThan(0);
    const before = acknowledged.length;
    const publishing = Array.from({ length: 30 }, async () => {
      acknowledged.push(await pay(started.baseUrl));
    });
    await expect.poll(() => acknowledged.length - before, { interval: 1 }).toBeGreaterThan(round);
    started.child.kill('SIGKILL');
    await Promise.allSettled(publishing);
    await started.ended;
    confirmed.push(...delivered(started.output.out));
  }
  const last = startIn(folder, '--once');
  expect(await last.ended, last.output.err).toBe(0);
  confirmed.push(...delivered(last.output.out));
  expect(acknowledged.length).toBeGreaterThan(20);
  expect(acknowledged.filter((id) => !confirmed.includes(id))).toEqual([]);
});
