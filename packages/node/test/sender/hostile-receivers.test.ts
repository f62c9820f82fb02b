import {
  dnsAttacks,
  type ReceiverAttack,
  receiverAttacks,
  startHostileReceiver,
} from '@partnerkit/conformance/attacks';
import { httpsSender } from '@partnerkit/node';
import { undiciSender } from '@partnerkit/node/undici';
import { createCertificateAuthority } from '@partnerkit/testing';
import { describe, expect, test } from 'vitest';
import { post } from './loopback.ts';

const authority = await createCertificateAuthority();
const certificate = await authority.issue({ names: ['partner.test'] });

describe.each([
  ['undiciSender', undiciSender],
  ['httpsSender', httpsSender],
] as const)('%s', (_, createSender) => {
  const attempt = async (attack: ReceiverAttack): Promise<readonly string[]> => {
    const receiver = await startHostileReceiver(attack, certificate);
    const sender = createSender({
      allow: ['127.0.0.0/8'],
      ca: authority.certificate,
      lookup: async () => ['127.0.0.1'],
    });
    // Who confirms does so at once; how long the others are waited for decides nothing.
    const deadline = attack.confirms === true ? 15_000 : 700;
    const outcome = await sender.send(post(`https://partner.test:${receiver.port}/hook`, { deadline }));
    const connections = receiver.connections();
    await sender.close();
    await receiver.close();
    const isConfirmed = outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300;
    const size = outcome.kind === 'answered' ? Buffer.byteLength(outcome.body) : 0;
    return [
      attack.confirms !== undefined &&
        attack.confirms !== isConfirmed &&
        `is ${isConfirmed ? '' : 'not '}confirmed: ${JSON.stringify(outcome).slice(0, 100)}`,
      size > 4_096 && `keeps ${size} bytes`,
      connections > 1 && `connects ${connections} times`,
    ].flatMap((fault) => (fault === false ? [] : [`${attack.name}: ${fault}`]));
  };

  test('each hostile receiver gets one attempt, which ends, and means what it must', async () => {
    const faults: string[] = [];
    for (let at = 0; at < receiverAttacks.length; at += 15)
      faults.push(...(await Promise.all(receiverAttacks.slice(at, at + 15).map(attempt))).flat());
    expect(faults).toEqual([]);
  });

  /** The first answer decides: after a public one a sender would connect to it. */
  const notPublic = dnsAttacks.filter(({ answers: [first = []] }) => first.some((address) => address !== '8.8.8.8'));

  test.each([...notPublic, { name: 'no address', answers: [[]] }])('$name: nothing is sent', async ({ answers }) => {
    let lookups = 0;
    const sender = createSender({ lookup: async () => answers[Math.min(lookups++, answers.length - 1)] ?? [] });
    const outcome = await sender.send(post('https://partner.test/'));
    await sender.close();
    expect(outcome).toMatchObject({
      kind: 'failed',
      reason: answers[0]?.length === 0 ? 'dns' : 'forbidden_address',
    });
    expect(lookups).toBe(1);
  });
});
