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
  'a hook that hangs fails the command after five seconds, and nothing is stored': async (client) => {
    const path = `payment-requests/${await newPayment(client)}`;
    const headers = { 'idempotency-key': 'once' };
    const before = await client.stored();
    let called = (): void => undefined;
    const reached = new Promise<void>((resolve) => {
      called = resolve;
    });
    client.onCommand(() => {
      called();
      return new Promise(() => undefined);
    });
    let isAnswered = false;
    const response = client.send('POST', `${path}/cancel`, { headers }).finally(() => {
      isAnswered = true;
    });
    await reached;
    await client.clock.pass(4_999);
    strictEqual(isAnswered, false);
    await client.clock.pass(1);
    const { status, json } = await response;
    deepStrictEqual([status, json.code], [503, 'unavailable']);
    strictEqual(await client.stored(), before);
    client.onCommand(() => undefined);
    await client.must(200, 'POST', `${path}/cancel`, { headers });
  },
  'events that a hook publishes are stored with the command, or not at all': async (client) => {
    let fails = false;
    client.onCommand(async ({ after, tx }) => {
      await client.publish('org_main', `ledger-${after.version}`, tx);
      if (fails) throw new CommandRejection({ code: 'limit_reached', detail: 'Try later.' });
    });
    const path = `payment-requests/${await newPayment(client)}`;
    deepStrictEqual(await client.eventsOf('org_main', 'ledger-1'), ['creation']);
    fails = true;
    await client.must(409, 'POST', `${path}/cancel`);
    deepStrictEqual(await client.eventsOf('org_main', 'ledger-2'), []);
    fails = false;
    await client.must(200, 'POST', `${path}/cancel`);
    deepStrictEqual(await client.eventsOf('org_main', 'ledger-2'), ['creation']);
  },
  'a hook runs once for each command, with its client, and not for refused ones': async (client) => {
    const commands = await commandsOf(client);
    const received: string[] = [];
    client.onCommand(({ object, command, before, after, caller }) => {
      deepStrictEqual(caller, { type: 'client', id: client.clientId });
      strictEqual(after.version, (before?.version ?? 0) + 1);
      received.push(`${object} ${command}`);
    });
    for (const [method, path, body] of commands) ok((await client.send(method, path, { body })).status < 300, path);
    const expected = [
      'RequestPayment create',
      'RequestPayment change',
      'RequestPayment cancel',
      'RequestSecurityDeposit create',
      'RequestSecurityDeposit checkIn',
      'CashOut create',
      'CashOut offer',
      'ModelRequestSecurityDeposit create',
      'ModelRequestPayment delete',
    ];
    deepStrictEqual(received, expected);
    const [, [, paid], [, cancelled]] = commands;
    await client.must(400, 'POST', 'payment-requests', { body: {} });
    await client.must(409, 'POST', cancelled);
    await client.must(409, 'PATCH', paid, { body: { name: 'Later' } });
    await client.must(404, 'POST', 'payment-requests/none/cancel');
    await client.must(404, 'PATCH', paid, { body: { name: 'Later' }, as: 'stranger', account: 'org_stranger' });
    deepStrictEqual(received, expected);
  },
};
