import { gzipSync } from 'node:zlib';
import { bad, type HttpCase } from '../support/http-case.ts';
import { envelopeCases } from './envelope-cases.ts';
import { keyCases } from './key-cases.ts';
import { confirmed, event, hook, missing, noEnvelope, notPosted, signed, tooLarge, wrong } from './requests.ts';
import { signatureCases } from './signature-cases.ts';

const first = event('p');
const accented = event('été');
const plain = event('plain');
const broken = (...bytes: readonly number[]) =>
  Buffer.concat([Buffer.from('{"x":"'), Buffer.of(...bytes), Buffer.from('"}')]);
const padded = (length: number): string => event('padded').padEnd(length, ' ');
/** More than any receiver buffers. */
const large = Buffer.alloc(10 * 1_024 * 1_024, 0x20);

const encodings: readonly HttpCase[] = [
  { name: 'a webhook that is not UTF-8', request: signed(Uint8Array.of(0x7b, 0xff, 0x7d)), ...noEnvelope },
  { name: 'a webhook in Latin-1', request: signed(Buffer.from(accented, 'latin1')), ...noEnvelope },
  { name: 'a webhook in UTF-16', request: signed(Buffer.from(first, 'utf16le')), ...noEnvelope },
  {
    name: 'a webhook in UTF-16 with its byte order mark',
    request: signed(Buffer.from(`\ufeff${first}`, 'utf16le')),
    ...noEnvelope,
  },
  { name: 'a webhook with a UTF-8 byte order mark', request: signed(`\ufeff${event('mark')}`), ...confirmed },
  { name: 'a webhook with a truncated UTF-8 sequence', request: signed(broken(0xc3)), ...noEnvelope },
  { name: 'a webhook with an overlong UTF-8 sequence', request: signed(broken(0xc0, 0xaf)), ...noEnvelope },
  { name: 'a webhook with a surrogate in UTF-8', request: signed(broken(0xed, 0xa0, 0x80)), ...noEnvelope },
  {
    name: 'a compressed webhook, signed as it was before',
    request: hook(({ sign }) => ({ 'x-webhook-signature': sign(plain), 'content-encoding': 'gzip' }), gzipSync(plain)),
    ...wrong,
  },
  {
    name: 'a compressed webhook, signed as it is sent',
    request: signed(gzipSync(plain), { 'content-encoding': 'gzip' }),
    ...noEnvelope,
  },
  {
    name: 'a webhook that claims to be compressed and is not',
    request: signed(plain, { 'content-encoding': 'gzip' }),
    ...confirmed,
  },
  ...['text/plain', 'application/xml', 'application/json; charset=utf-16', ';;;'].map((type): HttpCase => {
    const body = event(type);
    return {
      name: `a webhook with the content type ${type}`,
      request: signed(body, { 'content-type': type }),
      ...confirmed,
    };
  }),
  { name: 'a webhook without a body', request: signed(''), ...noEnvelope },
  { name: 'a webhook without a body and without a signature', request: hook(() => ({}), ''), ...missing },
  { name: 'a webhook of 512 KiB exactly', request: signed(padded(524_288)), ...confirmed },
  { name: 'a webhook of more than 512 KiB', request: signed(padded(524_289)), ...tooLarge },
  { name: 'a webhook of 10 MiB', request: signed(large), ...tooLarge },
  {
    name: 'a webhook of 10 MiB in chunks',
    request: (platform) => ({ ...signed(large)(platform), chunked: true }),
    ...tooLarge,
  },
  { name: 'a webhook of 10 MiB without a signature', request: hook(() => ({}), large), ...tooLarge },
];

const methods: readonly HttpCase[] = ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => ({
  name: `a webhook by ${method}`,
  request: () => ({ method, target: '/webhooks' }),
  ...notPosted,
}));

/** The cases of the routes of receivers; skipped when none is mounted. */
export const receiverCases: readonly HttpCase[] = [
  {
    name: 'a webhook',
    request: hook(({ sign }) => ({ 'X-WEBHOOK-SIGNATURE': sign(first) }), first),
    ...confirmed,
  },
  { name: 'the same webhook again', request: signed(first), ...confirmed },
  ...signatureCases,
  ...keyCases,
  ...bad('webhook encoding', encodings),
  ...envelopeCases,
  ...bad('method', methods),
];
