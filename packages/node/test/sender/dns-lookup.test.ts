import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { dnsResolve } from '../../src/sender/dns-lookup.ts';

type Records = Readonly<Record<string, readonly (readonly number[])[]>>;
const a = 1;
const aaaa = 28;

/**
 * A name server (RFC 1035 §4) that answers `<type> <name>` from the records, other questions with NXDOMAIN; after its
 * delay, if it has one.
 */
const startDns = async (records: Records, delays: Readonly<Record<string, Promise<unknown>>> = {}) => {
  const asked: string[] = [];
  const server = createSocket('udp4');
  onTestFinished(() => void server.close());
  server.on('message', async (message, { port, address }) => {
    const end = message.indexOf(0, 12) + 5;
    const name = message.toString('latin1', 13, end - 5).replace(/[^a-z]/g, '.');
    const question = `${message.readUInt16BE(end - 4)} ${name}`;
    asked.push(question);
    await delays[question];
    const found = records[question] ?? [];
    const header = Buffer.from([0x81, found.length > 0 ? 0x80 : 0x83, 0, 1, 0, found.length, 0, 0, 0, 0]);
    const answers = found.flatMap((data) => [
      0xc0,
      12,
      ...message.subarray(end - 4, end),
      0,
      0,
      0,
      0,
      0,
      data.length,
      ...data,
    ]);
    server.send(
      Buffer.concat([message.subarray(0, 2), header, message.subarray(12, end), Buffer.from(answers)]),
      port,
      address,
    );
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  const resolver = new Resolver({ timeout: 5_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  return { asked, resolve: dnsResolve(resolver) };
};

const v6 = [0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5];

const never = new Promise<never>(() => {});

test('both families are queried, and all their addresses returned', async () => {
  const { asked, resolve } = await startDns({
    [`${a} partner.test`]: [
      [192, 0, 2, 1],
      [192, 0, 2, 2],
    ],
    [`${aaaa} partner.test`]: [v6],
  });
  expect(await resolve('partner.test')).toEqual({ known: ['192.0.2.1', '192.0.2.2', '2001:db8::5'] });
  expect(asked.toSorted()).toEqual([`${a} partner.test`, `${aaaa} partner.test`]);
});

test('one family is enough', async () => {
  const { resolve } = await startDns({ [`${a} four.test`]: [[192, 0, 2, 1]], [`${aaaa} six.test`]: [v6] });
  expect(await resolve('four.test')).toEqual({ known: ['192.0.2.1'] });
  expect(await resolve('six.test')).toEqual({ known: ['2001:db8::5'] });
});

test('A does not wait for an AAAA that never comes, nor lose one that comes late', async () => {
  const dropped = await startDns({ [`${a} partner.test`]: [[192, 0, 2, 1]] }, { [`${aaaa} partner.test`]: never });
  expect((await dropped.resolve('partner.test')).known).toEqual(['192.0.2.1']);
  const answer = Promise.withResolvers<void>();
  const records = { [`${a} partner.test`]: [[192, 0, 2, 1]], [`${aaaa} partner.test`]: [v6] };
  const late = await startDns(records, { [`${aaaa} partner.test`]: answer.promise });
  const found = await late.resolve('partner.test');
  expect(found.known).toEqual(['192.0.2.1']);
  answer.resolve();
  expect(await found.late).toEqual(['2001:db8::5']);
});

test('a name without A waits for AAAA, however late', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const answer = Promise.withResolvers<void>();
  const { resolve } = await startDns({ [`${aaaa} six.test`]: [v6] }, { [`${aaaa} six.test`]: answer.promise });
  const found = resolve('six.test');
  // A later question is answered first, so A of this one was too.
  await resolve('other.test');
  vi.advanceTimersByTime(1_000);
  answer.resolve();
  expect(await found).toEqual({ known: ['2001:db8::5'] });
});

test('AAAA waits for A: a machine without IPv6 needs it', async () => {
  const answer = Promise.withResolvers<void>();
  const records = { [`${a} partner.test`]: [[192, 0, 2, 1]], [`${aaaa} partner.test`]: [v6] };
  const { asked, resolve } = await startDns(records, { [`${a} partner.test`]: answer.promise });
  const found = resolve('partner.test');
  // A later question is answered first, so AAAA was too.
  await resolve('other.test');
  expect(asked).toHaveLength(4);
  answer.resolve();
  expect(await found).toEqual({ known: ['192.0.2.1', '2001:db8::5'] });
});

test('a name that does not exist has no address', async () => {
  const { asked, resolve } = await startDns({});
  expect(await resolve('partner.test')).toEqual({ known: [] });
  expect(asked).toHaveLength(2);
});
