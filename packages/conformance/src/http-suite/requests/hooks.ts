import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { CommandRejection } from '@partnerkit/core/requests';
import type { RequestsCases } from './case.ts';
import { deposit, payment, type RequestsClient } from './client.ts';
import { newDeposit, newPayment } from './made.ts';

/** Commands of every kind of object; a hook runs for each. */
const commandsOf = async (client: RequestsClient) => {
  const paid = `payment-requests/${await newPayment(client)}`;
  const held = `security-deposits/${await newDeposit(client)}`;
  const cashOut = `${held}/cash-outs/${(await client.must(201, 'POST', `${held}/cash-outs`, { body: { amount: 5 } })).json.id}`;
  const template = `payment-templates/${(await client.must(201, 'POST', 'payment-templates', { body: { name: 'W' } })).json.id}`;
  return [
    ['POST', 'payment-requests', payment],
    ['PATCH', paid, { name: 'Longer' }],
    ['POST', `${paid}/cancel`],
    ['POST', 'security-deposits', deposit],
    ['POST', `${held}/check-in`],
    ['POST', `${held}/cash-outs`, { amount: 1 }],
    ['POST', `${cashOut}/offer`, { amount: 6 }],
    ['POST', 'security-deposit-templates', { name: 'W' }],
    ['DELETE', template],
  ] as const;
};

/** What the host does at each command, as partners see it. */
export const hookCases: RequestsCases = {
  'a command that the host rejects returns its problem, and stores nothing': async (client) => {
    const commands = await commandsOf(client);
    const before = await client.stored();
    for (const [status, code] of [
      [undefined, 'limit_reached'],
      [400, 'room_unknown'],
      [402, 'plan_too_small'],
      [403, 'not_verified'],
      [422, 'no_such_room'],
      [499, 'x'],
    ] as const) {
      const detail = 'The account has reached its limit: ask “us” <now>.';
      client.onCommand(() => {
        throw new CommandRejection({ code, detail, ...(status === undefined ? {} : { status }) });
      });
      for (const [method, path, body] of commands) {
        const answer = await client.must(status ?? 409, method, path, { body });
        const { title, ...problem } = answer.json;
        deepStrictEqual(problem, { status: status ?? 409, code, detail });
        strictEqual(typeof title, 'string');
        strictEqual(answer.headers['content-type'], 'application/problem+json');
        ok(answer.headers['x-request-id']);
        strictEqual(answer.headers['etag'], undefined);
      }
    }
    strictEqual(await client.stored(), before);
  },
  'a rejection leaves the idempotency key free': async (client) => {
    const headers = { 'idempotency-key': 'order-1' };
    client.onCommand(() => {
      throw new CommandRejection({ code: 'limit_reached', detail: 'Try later.' });
    });
    const rejected = await client.must(409, 'POST', 'payment-requests', { body: payment, headers });
    strictEqual(rejected.json.code, 'limit_reached');
    client.onCommand(() => undefined);
    const other = { ...payment, name: 'Other' };
    const made = await client.must(201, 'POST', 'payment-requests', { body: other, headers });
    client.onCommand(() => {
      throw new Error('not called: the response was stored');
    });
    strictEqual((await client.must(201, 'POST', 'payment-requests', { body: other, headers })).body, made.body);
    deepStrictEqual(await client.eventsOf('org_main', made.json.id), ['creation']);
  },
  'a hook that throws fails the command: 503, nothing is stored, and the error is not revealed': async (client) => {
    const commands = await commandsOf(client);
    const before = await client.stored();
    for (const thrown of [new Error('the ledger at 10.0.0.5 is away'), 'the ledger at 10.0.0.5', undefined, null]) {
      client.onCommand(async () => {
        throw thrown;
      });
      for (const [method, path, body] of commands) {
        const answer = await client.must(503, method, path, { body });
        deepStrictEqual([answer.json.code, answer.headers['retry-after']], ['unavailable', '5']);
        ok(!answer.body.includes('ledger'), answer.body);
      }
    }
    strictEqual(await client.stored(), before);
  },
};
