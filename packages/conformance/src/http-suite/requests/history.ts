import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { RequestsCases } from './case.ts';
import { deposit, type RequestsClient } from './client.ts';
import { alone, newDeposit, newPayment, own } from './made.ts';

interface Entry {
  readonly command: string;
  readonly version: number;
  readonly createdAt: number;
}

/** The entries of a history, without their times. */
const historyOf = async ({ must }: RequestsClient, path: string, query = ''): Promise<readonly object[]> => {
  const { items, next } = (await must(200, 'GET', `${path}/events${query}`)).json;
  strictEqual(next, undefined);
  return items.map(({ createdAt, ...entry }: Entry) => {
    ok(Number.isInteger(createdAt));
    return entry;
  });
};

export const historyCases: RequestsCases = {
  'a history has each command, with its actor and its reason': async (client) => {
    const { must, requests, clientId } = client;
    const id = await newPayment(client);
    const path = `payment-requests/${id}`;
    await must(200, 'PATCH', path, { body: { name: 'Longer' } });
    await must(200, 'PATCH', path, { body: { name: 'Longer' } });
    const reason = { code: 'card.declined', text: 'Not enough' };
    const failed = { reason };
    const actor = { type: 'host', id: 'job 7' } as const;
    ok((await requests.payments.perform(own.id, id, 'failTransaction', { input: failed, ...alone, actor })).isOk());
    ok((await requests.payments.perform(own.id, id, 'succeed', alone)).isOk());
    const by = { type: 'client', id: clientId };
    const expected = [
      { type: 'creation', command: 'create', status: 'pending', version: 1, by },
      { type: 'update', command: 'change', status: 'pending', version: 2, by },
      { type: 'transaction_failed', command: 'failTransaction', status: 'pending', version: 3, by: actor, reason },
      { type: 'payed', command: 'succeed', status: 'payed', version: 4, by: { type: 'host' } },
    ];
    deepStrictEqual(await historyOf(client, path), expected);
    deepStrictEqual(await historyOf(client, path, '?order=newest'), [...expected].reverse());
  },
  'a history of a deposit has its cash-outs, and the rules that followed': async (client) => {
    const { must, requests, clientId } = client;
    const id = await newDeposit(client);
    const at = `security-deposits/${id}`;
    const cashOutId = (await must(201, 'POST', `${at}/cash-outs`, { body: { amount: 5 } })).json.id;
    ok((await requests.cashOuts.perform(own.id, cashOutId, 'claim', alone)).isOk());
    const reason = { code: 'photo' };
    await must(200, 'POST', `${at}/cash-outs/${cashOutId}/deny`, { body: { reason } });
    await must(200, 'POST', `${at}/cash-outs/${cashOutId}/cancel`);
    const by = { type: 'client', id: clientId };
    const host = { type: 'host' };
    const ofCashOut = [
      { type: 'cashout', command: 'create', by },
      { type: 'cashout_reclamation', command: 'claim', by: host },
      { type: 'cashout_owner_deny_reclamation', command: 'deny', by, reason },
      { type: 'cashout_cancel', command: 'cancel', by },
    ];
    const states = ['requested', 'claimed', 'denied', 'cancelled'];
    const whole = ofCashOut.map((entry, index) => ({ ...entry, status: states[index], version: index + 1 }));
    deepStrictEqual(await historyOf(client, `${at}/cash-outs/${cashOutId}`), whole);
    deepStrictEqual(await historyOf(client, `cash-outs/${cashOutId}`), whole);
    const deny = { type: 'rule', command: 'deny' };
    const cancel = { type: 'rule', command: 'cancel' };
    const within = ofCashOut.map((entry) => ({ ...entry, cashOutId }));
    const status = 'in_progress';
    deepStrictEqual(await historyOf(client, at), [
      { type: 'creation', command: 'create', status: 'pending', version: 1, by },
      { type: 'deposit_success', command: 'succeedDeposit', status, version: 2, by: host },
      { ...within[0], status, version: 3 },
      { ...within[1], status, version: 4 },
      { ...within[2], status, version: 5 },
      { type: 'litigation', command: 'litigate', status: 'litigation', version: 5, by: deny, reason },
      { ...within[3], status: 'litigation', version: 6 },
      { type: 'update', command: 'resume', status, version: 6, by: cancel },
    ]);
  },
  'a history is paginated, in both orders': async (client) => {
    const path = `payment-requests/${await newPayment(client)}`;
    for (let count = 0; count < 11; count++) await client.must(200, 'PATCH', path, { body: { name: `Name ${count}` } });
    const versions = Array.from({ length: 12 }, (_, index) => index + 1);
    for (const [order, expected] of [
      ['oldest', versions],
      ['newest', [...versions].reverse()],
    ] as const) {
      const read: number[] = [];
      for (let next = ''; ; ) {
        const page = (await client.must(200, 'GET', `${path}/events?limit=5&order=${order}${next}`)).json;
        read.push(...page.items.map(({ version }: Entry) => version));
        if (page.next === undefined) break;
        next = `&after=${encodeURIComponent(page.next)}`;
      }
      deepStrictEqual(read, expected);
    }
    const { next } = (await client.must(200, 'GET', `${path}/events?limit=5`)).json;
    const other = `payment-requests/${await newPayment(client)}`;
    const after = encodeURIComponent(next);
    for (const wrong of [
      `${other}/events?after=${after}`,
      `${path}/events?after=${after}&order=newest`,
      `payment-requests?after=${after}`,
    ])
      strictEqual((await client.must(400, 'GET', wrong)).json.code, 'invalid_cursor', wrong);
  },
  'only its account reads a history, and it is deleted with its object': async (client) => {
    const { must } = client;
    const theirs = { as: 'stranger', account: 'org_stranger' } as const;
    const paid = `payment-requests/${await newPayment(client)}`;
    const template = `payment-templates/${(await must(201, 'POST', 'payment-templates', { body: { name: 'W' } })).json.id}`;
    for (const path of [paid, template]) {
      await must(404, 'GET', `${path}/events`, theirs);
      await must(404, 'GET', `${path}/events`, { as: 'stranger' });
      await must(404, 'GET', `${path}/events`, { account: 'org_child' });
    }
    await must(404, 'GET', 'payment-requests/none/events');
    await must(204, 'DELETE', template);
    await must(404, 'GET', `${template}/events`);
  },
  'a webhook shows the object as a GET does, and a cash-out within its deposit': async (client) => {
    const { must } = client;
    const stay = { from: '2027-03-01', to: '2027-03-04' };
    const fields = { reference: 'D-1', metadata: { room: '12' }, dueDate: '2027-02-01', stay };
    const id = await newDeposit(client, { ...deposit, ...fields });
    const at = `security-deposits/${id}`;
    const held = (await must(200, 'GET', at)).json;
    const cashOut = (
      await must(201, 'POST', `${at}/cash-outs`, { body: { amount: 5, reference: 'C-1', metadata: { k: 'v' } } })
    ).json;
    const claimed = (await must(200, 'GET', at)).json;
    const [, made, taken] = (await client.sentOf('org_main')).filter(({ data }) => data.id === id);
    deepStrictEqual([made?.type, made?.data], ['deposit_success', held]);
    deepStrictEqual([taken?.type, taken?.data], ['cashout', { ...claimed, cashOut }]);
    deepStrictEqual(claimed.cashOuts, [
      { id: cashOut.id, status: 'requested', amount: 5, currency: 'EUR', reference: 'C-1' },
    ]);
  },
};
