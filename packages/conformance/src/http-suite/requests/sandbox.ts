import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { requestObjects } from '@partnerkit/core/requests';
import type { RequestsCases } from './case.ts';
import { deposit, payment, type RequestsClient } from './client.ts';
import { inTest, newDeposit, newPayment } from './made.ts';

/** The commands that only the host may give, written by hand from the guide. */
const ofHost = {
  payment: [
    'setPaymentUrl',
    'send',
    'remind',
    'succeed',
    'succeedTransaction',
    'failTransaction',
    'cancelTransaction',
    'returnTransaction',
    'updateChargeback',
    'refund',
  ],
  deposit: [
    'setPaymentUrl',
    'send',
    'remind',
    'registerUser',
    'succeedTransaction',
    'failTransaction',
    'cancelTransaction',
    'returnTransaction',
    'updateChargeback',
    'succeedDeposit',
    'setTerm',
    'warnOfEnd',
    'extend',
    'litigate',
    'resume',
    'fail',
  ],
  cashOut: [
    'claim',
    'accept',
    'settle',
    'warnOfSilence',
    'pauseDeadline',
    'resumeDeadline',
    'escrow',
    'complete',
    'collect',
    'markIrrecoverable',
    'refund',
    'fail',
  ],
} as const;
type Kind = keyof typeof ofHost;
const kebab = (command: string): string => command.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The response without its request id and date. */
const visible = async (response: ReturnType<RequestsClient['send']>) => {
  const { status, headers, body } = await response;
  const { 'x-request-id': id, date: _date, ...rest } = headers;
  return { status, body, headers: rest, hasId: id !== undefined };
};

/** Every path of the sandbox responds like an unknown path. */
const answersLikeUnknown = async (client: RequestsClient): Promise<void> => {
  const paid = `payment-requests/${await newPayment(client)}`;
  const held = `security-deposits/${await newDeposit(client)}`;
  const { id } = (await client.must(201, 'POST', `${held}/cash-outs`, { body: { amount: 5 } })).json;
  const before = await client.stored();
  const paths = [
    ...ofHost.payment.map((name) => `${paid}/simulate/${kebab(name)}`),
    ...ofHost.deposit.map((name) => `${held}/simulate/${kebab(name)}`),
    ...ofHost.cashOut.map((name) => `${held}/cash-outs/${id}/simulate/${kebab(name)}`),
    'payment-requests/none/simulate/succeed',
    'webhooks/test',
  ];
  const webhook = { objectName: 'RequestPayment', type: 'payed' };
  for (const request of [
    {},
    { body: {} },
    { body: webhook },
    { body: '{' },
    { body: ' '.repeat(70_000) },
    { body: 'x', headers: { 'content-type': 'text/plain' } },
    { body: {}, headers: { 'idempotency-key': 'k', 'if-match': '"99"' } },
  ]) {
    const unknown = await visible(client.send('POST', `${paid}/nothing/here`, request));
    deepStrictEqual([unknown.status, unknown.hasId], [404, true]);
    for (const path of paths) deepStrictEqual(await visible(client.send('POST', path, request)), unknown, path);
  }
  strictEqual(await client.stored(), before);
};

/** Cases of a platform with a test environment. */
export const sandboxCases: RequestsCases = {
  'a partner can give each command of the host in a test environment, with its events and reasons': async (client) => {
    const played = new Map<Kind, Set<string>>();
    const simulate = async (kind: Kind, path: string, command: string, body?: object) => {
      played.set(kind, (played.get(kind) ?? new Set()).add(command));
      return (await client.must(200, 'POST', `${path}/simulate/${kebab(command)}`, { ...inTest, body })).json;
    };
    const make = async (path: string, body: object) =>
      `${path}/${(await client.must(201, 'POST', path, { ...inTest, body })).json.id}`;
    const callers: string[] = [];
    client.onCommand(({ caller, after }) => {
      callers.push(`${caller.type} in ${after.environment}`);
    });
    const paymentUrl = 'https://pay.example/1';
    const reason = { code: 'declined' };

    const paid = await make('payment-requests', payment);
    strictEqual((await simulate('payment', paid, 'setPaymentUrl', { paymentUrl })).paymentUrl, paymentUrl);
    ok((await simulate('payment', paid, 'send')).sentAt > 0);
    ok((await simulate('payment', paid, 'remind')).remindedAt > 0);
    deepStrictEqual((await simulate('payment', paid, 'failTransaction', { reason })).reason, reason);
    await simulate('payment', paid, 'cancelTransaction');
    await simulate('payment', paid, 'succeedTransaction');
    strictEqual((await simulate('payment', paid, 'succeed')).status, 'payed');
    const back = { transaction: { amount: payment.amount }, reason };
    strictEqual((await simulate('payment', paid, 'returnTransaction', back)).status, 'pending');
    strictEqual((await simulate('payment', paid, 'succeed')).status, 'payed');
    const chargeback = { processorReference: 'dp_1', respondBy: 4_000_000_000 };
    deepStrictEqual((await simulate('payment', paid, 'updateChargeback', { chargeback })).chargebacks, [chargeback]);
    strictEqual((await simulate('payment', paid, 'refund', { amount: 0.5 })).refundedAmount, 0.5);
    strictEqual((await simulate('payment', paid, 'refund')).status, 'refunded');

    const held = await make('security-deposits', deposit);
    const give = (command: string, body?: object) => simulate('deposit', held, command, body);
    strictEqual((await give('setPaymentUrl', { paymentUrl })).paymentUrl, paymentUrl);
    await give('send');
    await give('remind');
    const inquiry = { processorReference: 'dp_2', stage: 'inquiry' };
    deepStrictEqual((await give('updateChargeback', { chargeback: inquiry })).chargebacks, [inquiry]);
    const registered = await give('registerUser', { name: 'Ann' });
    deepStrictEqual([registered.recipient.name, registered.registeredAt > 0], ['Ann', true]);
    await give('failTransaction', { reason });
    await give('succeedTransaction');
    await give('cancelTransaction');
    const term = { guaranteedUntil: 4_102_444_800, claimUntil: 4_102_358_400 };
    const succeeded = await give('succeedDeposit', term);
    deepStrictEqual(
      [succeeded.status, succeeded.guaranteedUntil, succeeded.claimUntil],
      ['in_progress', term.guaranteedUntil, term.claimUntil],
    );
    await give('returnTransaction', { transaction: { amount: 1 } });
    const longer = await give('setTerm', { guaranteedUntil: 4_105_123_200, claimUntil: null, reason });
    deepStrictEqual([longer.guaranteedUntil, longer.claimUntil, longer.reason], [4_105_123_200, undefined, reason]);
    await give('warnOfEnd', { reason });
    const more = { depositAmount: 310, transaction: { kind: 'authorisation', amount: 10 } };
    strictEqual((await give('extend', more)).depositAmount, 310);
    const first = await make(`${held}/cash-outs`, { amount: 100 });
    const second = await make(`${held}/cash-outs`, { amount: 50 });
    const third = await make(`${held}/cash-outs`, { amount: 50 });
    const on = (cashOut: string, command: string, body?: object) => simulate('cashOut', cashOut, command, body);
    strictEqual((await on(first, 'claim', { claim: 'No' })).claim, 'No');
    strictEqual((await give('litigate', { reason })).status, 'litigation');
    strictEqual((await give('resume')).status, 'in_progress');
    await give('litigate');
    deepStrictEqual((await on(first, 'settle', { amount: 40 })).amount, 40);
    strictEqual((await client.must(200, 'GET', held, inTest)).json.status, 'in_progress');
    await on(second, 'warnOfSilence', { reason });
    ok((await on(second, 'pauseDeadline')).pausedAt > 0);
    strictEqual((await on(second, 'resumeDeadline')).pausedAt, undefined);
    await on(first, 'escrow');
    strictEqual((await on(first, 'complete', { amount: 10 })).collectedAmount, 10);
    strictEqual((await on(first, 'collect', { amount: 5 })).collectedAmount, 15);
    strictEqual((await on(first, 'markIrrecoverable', { document: 'D-1' })).irrecoverable.amount, 25);
    strictEqual((await on(first, 'refund')).refundedAmount, 15);
    strictEqual((await on(second, 'accept', { amount: 50 })).status, 'accepted');
    strictEqual((await on(third, 'fail', { reason })).status, 'failed');
    strictEqual((await give('fail', { reason })).status, 'error');

    for (const [kind, commands] of Object.entries(ofHost))
      deepStrictEqual([...(played.get(kind as Kind) ?? [])].sort(), [...commands].sort());
    ok(callers.length > 20 && callers.every((caller) => caller === 'client in test'), callers.join());
    const [, id = ''] = paid.split('/');
    deepStrictEqual(await client.eventsOf('org_test', id), [
      'creation',
      'update',
      'update',
      'update',
      'transaction_failed',
      'update',
      'update',
      'payed',
      'transaction_failed',
      'payed',
      // updateChargeback, and two refunds.
      'update',
      'update',
      'update',
    ]);
    const { items } = (await client.must(200, 'GET', `${paid}/events`, inTest)).json;
    ok(items.every(({ by }: { readonly by: { readonly type: string } }) => by.type === 'client'));
  },
  'simulated commands obey states, conditions and idempotency keys': async ({ must }) => {
    const { id } = (await must(201, 'POST', 'payment-requests', { ...inTest, body: payment })).json;
    const at = `payment-requests/${id}/simulate`;
    const refund = { ...inTest, body: { amount: 1 } };
    strictEqual((await must(409, 'POST', `${at}/refund`, refund)).json.code, 'wrong_state');
    await must(412, 'POST', `${at}/succeed`, { ...inTest, headers: { 'if-match': '"2"' } });
    const headers = { 'idempotency-key': 'k', 'if-match': '"1"' };
    const first = await must(200, 'POST', `${at}/succeed`, { ...inTest, headers });
    strictEqual((await must(200, 'POST', `${at}/succeed`, { ...inTest, headers })).body, first.body);
    strictEqual(first.headers['etag'], '"2"');
    await must(404, 'POST', 'payment-requests/none/simulate/succeed', inTest);
    for (const command of ['cancel', 'change', 'create', 'setPaymentUrl', 'constructor'])
      await must(404, 'POST', `${at}/${command}`, { ...inTest, body: {} });
  },
  'outside of test environments the paths of the sandbox respond like unknown paths': answersLikeUnknown,
  'a test event goes to one endpoint, or to each enabled one': async (client) => {
    const { must, endpoints, sentOf } = client;
    const add = async (account: string, url: string): Promise<string> =>
      (await endpoints.create(account, { url, events: ['payed'] }))._unsafeUnwrap().endpoint.id;
    const one = await add('org_test', 'https://partner.example/1');
    const two = await add('org_test', 'https://partner.example/2');
    const disabled = await add('org_test', 'https://partner.example/3');
    ok((await endpoints.disable('org_test', disabled)).isOk());
    const foreign = await add('org_stranger', 'https://stranger.example/');
    const test = (body: object, status = 202) => must(status, 'POST', 'webhooks/test', { ...inTest, body });
    const pair = { objectName: 'RequestPayment', type: 'payed' };

    const { events } = (await test({ ...pair, endpointId: one })).json;
    deepStrictEqual(
      events.map(({ endpointId }: { endpointId: string }) => endpointId),
      [one],
    );
    const all = (await test(pair)).json.events as readonly { endpointId: string; eventId: string }[];
    deepStrictEqual(all.map(({ endpointId }) => endpointId).sort(), [one, two].sort());
    strictEqual(new Set(all.map(({ eventId }) => eventId)).size, 2);
    const before = await client.stored();
    strictEqual((await test({ ...pair, endpointId: disabled }, 409)).json.code, 'endpoint_disabled');
    for (const endpointId of [foreign, 'none'])
      deepStrictEqual((await test({ ...pair, endpointId }, 400)).json.errors[0].pointer, '/endpointId');
    strictEqual(await client.stored(), before);

    for (const { objectName, type } of requestObjects.flatMap(({ entries }) => entries))
      await test({ objectName, type, endpointId: one });
    for (const { objectName, type, data } of await sentOf('org_test')) {
      ok(data.id.startsWith('test_'), `${objectName} ${type}`);
      ok(data.status.length > 0);
    }
    deepStrictEqual(
      (await must(202, 'POST', 'webhooks/test', { ...inTest, body: pair })).headers['content-type'],
      'application/json',
    );
  },
  'a test event without any endpoint reports that it was not sent': async ({ must }) => {
    const body = { objectName: 'RequestPayment', type: 'payed' };
    deepStrictEqual((await must(202, 'POST', 'webhooks/test', { ...inTest, body })).json, { events: [] });
  },
};

/** Cases of a platform without a test environment. */
export const noSandboxCases: RequestsCases = {
  'without a test environment the paths of the sandbox respond like unknown paths': async (client) => {
    await answersLikeUnknown(client);
    const { id } = (await client.must(201, 'POST', 'payment-requests', { ...inTest, body: payment })).json;
    await client.must(404, 'POST', `payment-requests/${id}/simulate/succeed`, inTest);
    await client.must(404, 'POST', 'webhooks/test', {
      ...inTest,
      body: { objectName: 'RequestPayment', type: 'payed' },
    });
  },
};
