import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { createHmac } from 'node:crypto';
import { request, type StandardsGroup } from '../row.ts';

/** A webhook to the receiver, with headers of Standard Webhooks. */
const hook = (...headers: readonly string[]) =>
  request('POST /webhooks', ['Content-Type: application/json', ...headers], '<webhook>');
const [id, at, signature] = ['webhook-id: msg_1', 'webhook-timestamp: <now>', 'webhook-signature: <signature>'];
const accepted = { status: 204, body: '' };
const refused = { status: 401 };
const other = `v1,${'A'.repeat(43)}=`;
const sent = 'an event whose receiver answers 500 to the first attempt';

export const webhookRows: StandardsGroup = {
  standard: 'Standard Webhooks',
  title: 'version 1.0.0',
  url: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  rows: [
    {
      at: 'Webhook headers',
      must: 'A webhook has webhook-id, webhook-timestamp in seconds since 1970, and webhook-signature.',
      requests: sent,
      answers: 'each attempt has all three',
      check: async ({ platform }) => {
        const { posts } = await platform.sentTwice();
        strictEqual(posts.length, 2);
        for (const { headers } of posts) {
          match(headers['webhook-id'] ?? '', /^[!-~]+$/);
          match(headers['webhook-timestamp'] ?? '', /^[1-9]\d{9}$/);
          match(headers['webhook-signature'] ?? '', /^v1,[A-Za-z0-9+/]{43}=( v1a?,[A-Za-z0-9+/]+=*)*$/);
        }
      },
    },
    {
      at: 'Webhook headers',
      must: 'webhook-id is the same on every attempt, and the timestamp is that of the attempt.',
      requests: sent,
      answers: 'one id; the second timestamp is later',
      check: async ({ platform }) => {
        const [first, second] = (await platform.sentTwice()).posts;
        strictEqual(first?.headers['webhook-id'], second?.headers['webhook-id']);
        ok(Number(first?.headers['webhook-timestamp']) < Number(second?.headers['webhook-timestamp']), 'later');
      },
    },
    {
      at: 'Payload',
      must: 'An attempt sends the same payload as the one before.',
      requests: sent,
      answers: 'the same bytes, as `application/json`',
      check: async ({ platform }) => {
        const [first, second] = (await platform.sentTwice()).posts;
        strictEqual(first?.body, second?.body);
        deepStrictEqual(
          [first, second].map((post) => post?.headers['content-type']),
          ['application/json', 'application/json'],
        );
      },
    },
    {
      at: 'Secrets',
      should: 'A secret is whsec_ and the Base64 of 24 to 64 random bytes.',
      requests: 'a new endpoint',
      answers: 'its secret has that form',
      check: async ({ platform }) => {
        const [, text = ''] = /^whsec_([A-Za-z0-9+/]+=*)$/.exec((await platform.sentTwice()).secret) ?? [];
        const bytes = Buffer.from(text, 'base64');
        ok(bytes.length >= 24 && bytes.length <= 64, `${bytes.length} bytes`);
        strictEqual(bytes.toString('base64'), text);
      },
    },
    {
      at: 'Signature scheme',
      must: 'The signature is HMAC-SHA-256 of id, timestamp and body, joined by full stops, with the decoded secret.',
      requests: sent,
      answers: '`webhook-signature` contains `v1,` and that signature in Base64',
      check: async ({ platform }) => {
        const { secret, posts } = await platform.sentTwice();
        const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
        for (const { headers, body } of posts) {
          const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
          const wanted = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
          ok(headers['webhook-signature']?.split(' ').includes(wanted), headers['webhook-signature']);
        }
      },
    },
    {
      at: 'Verifying webhooks',
      must: 'A receiver accepts a valid signature.',
      request: hook(id, at, signature),
      answer: accepted,
    },
    {
      at: 'Verifying webhooks',
      must: 'A receiver accepts a list with one valid signature, whatever the others are.',
      request: hook(id, at, `webhook-signature: ${other} v1a,AAAA v9,x <signature>`),
      answer: accepted,
    },
    {
      at: 'Verifying webhooks',
      must: 'A receiver refuses a signature of another version.',
      request: hook(id, at, 'webhook-signature: v1a,AAAA v2,AAAA'),
      answer: refused,
    },
    {
      at: 'Verifying webhooks',
      must: 'A receiver refuses a wrong signature.',
      request: hook(id, at, `webhook-signature: ${other}`),
      answer: refused,
    },
    {
      at: 'Verifying webhooks',
      must: 'A receiver refuses another id than the signed one.',
      request: hook('webhook-id: msg_2', at, signature),
      answer: refused,
    },
    {
      at: 'Verifying webhooks',
      must: 'A receiver refuses a timestamp that is more than five minutes old, although it is signed.',
      request: hook(id, 'webhook-timestamp: <old>', 'webhook-signature: <oldSignature>'),
      answer: refused,
    },
    {
      at: 'Verifying webhooks',
      must: 'A receiver refuses a timestamp that is no number of seconds.',
      request: hook(id, 'webhook-timestamp: <now>.0', signature),
      answer: refused,
    },
    {
      at: 'Verifying webhooks',
      must: 'A receiver refuses a webhook without one of the headers.',
      request: hook(id, signature),
      answer: refused,
    },
  ],
};
