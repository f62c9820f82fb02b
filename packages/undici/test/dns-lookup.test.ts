import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { dnsLookup } from '../src/dns-lookup.ts';

type Records = Readonly<Record<string, readonly (readonly number[])[]>>;
const a = 1;
const aaaa = 28;

/** A name server (RFC 1035 §4) that answers `<type> <name>` from the records, other questions with NXDOMAIN. */
const startDns = async (records: Records) => {
  const asked: string[] = [];
  const server = createSocket('udp4');
  onTestFinished(() => void server.close());
  server.on('message', (message, { port, address }) => {
    const end = message.indexOf(0, 12) + 5;
    const name = message.toString('latin1', 13, end - 5).replace(/[^a-z]/g, '.');
    const question = `${message.readUInt16BE(end - 4)} ${name}`;
    asked.push(question);
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
  const resolver = new Resolver({ timeout: 1_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  return { asked, lookup: dnsLookup(resolver) };
};

const v6 = [0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5];

test('both families are queried, and all their addresses returned', async () => {
  const { asked, lookup } = await startDns({
    [`${a} partner.test`]: [
      [192, 0, 2, 1],
      [192, 0, 2, 2],
    ],
    [`${aaaa} partner.test`]: [v6],
  });
  expect(await lookup('partner.test')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::5']);
  expect(asked.toSorted()).toEqual([`${a} partner.test`, `${aaaa} partner.test`]);
});

test('one family is enough', async () => {
  const { lookup } = await startDns({ [`${a} four.test`]: [[192, 0, 2, 1]], [`${aaaa} six.test`]: [v6] });
  expect(await lookup('four.test')).toEqual(['192.0.2.1']);
  expect(await lookup('six.test')).toEqual(['2001:db8::5']);
});

test('a name that does not exist has no address', async () => {
  const { asked, lookup } = await startDns({});
  expect(await lookup('partner.test')).toEqual([]);
  expect(asked).toHaveLength(2);
});
