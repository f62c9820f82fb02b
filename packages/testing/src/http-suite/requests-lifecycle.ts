import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { deposit, payment, type RequestsClient } from './requests-client.ts';

/** What partners do with requests, by the law that each one states. @internal */
export type RequestsCases = Readonly<Record<string, (client: RequestsClient) => Promise<void>>>;

const own = { id: 'org_main', environment: 'prod' };
const alone = { tx: 'new' } as const;

/** @internal */
export const newPayment = async ({ must }: RequestsClient): Promise<string> =>
  (await must(201, 'POST', 'payment-requests', { body: payment })).json.id;
/** A deposit that was made. */
const newDeposit = async ({ must, requests }: RequestsClient): Promise<string> => {
  const { id } = (await must(201, 'POST', 'security-deposits', { body: deposit })).json;
  ok((await requests.deposits.perform(own, id, 'succeedDeposit', {}, alone)).isOk());
  return id;
};

/** @internal */
export const lifecycleCases: RequestsCases = {
  'a payment request is made, read, changed and cancelled': async (client) => {
    const { must } = client;
    const made = await must(201, 'POST', 'payment-requests', { body: { ...payment, description: 'Deux nuits 🏡' } });
    const { id, createdAt, updatedAt, ...fields } = made.json;
    deepStrictEqual(fields, { ...payment, status: 'pending', description: 'Deux nuits 🏡' });
    ok(Number.isInteger(createdAt) && updatedAt === createdAt);
    strictEqual(made.headers['etag'], '"1"');
    strictEqual(made.headers['location'], `/api/v1/partner/organisations/org_main/payment-requests/${id}`);
    const read = await must(200, 'GET', `payment-requests/${id}`);
    deepStrictEqual([read.body, read.headers['etag']], [made.body, '"1"']);

    const changed = await must(200, 'PATCH', `payment-requests/${id}`, {
      body: { amount: 99.99, currency: 'EUR', description: null },
    });
    const { description: _none, ...without } = made.json;
    deepStrictEqual({ ...changed.json, updatedAt }, { ...without, amount: 99.99 });
    strictEqual(changed.headers['etag'], '"2"');
    const cancelled = await must(200, 'POST', `payment-requests/${id}/cancel`);
    strictEqual(cancelled.json.status, 'cancelled');
    strictEqual((await must(409, 'POST', `payment-requests/${id}/cancel`)).json.code, 'wrong_state');
    deepStrictEqual(await client.eventsOf('org_main', id), ['creation', 'update', 'cancel']);
  },
  'a security deposit goes through its life, and its cash-outs through theirs': async (client) => {
    const { must, requests } = client;
    const id = await newDeposit(client);
    const at = `security-deposits/${id}`;
    strictEqual((await must(409, 'POST', `${at}/check-out`)).json.code, 'not_checked_in');
    ok((await must(200, 'POST', `${at}/check-in`)).json.checkedInAt > 0);
    strictEqual((await must(409, 'POST', `${at}/check-in`)).json.code, 'already_done');
    await must(200, 'POST', `${at}/check-out`);

    const made = await must(201, 'POST', `${at}/cash-outs`, { body: { amount: 200, reason: 'A broken window' } });
    const { id: cashOutId, status, amount, currency, reason } = made.json;
    deepStrictEqual(
      { status, amount, currency, reason },
      { status: 'requested', amount: 200, currency: 'EUR', reason: 'A broken window' },
    );
    strictEqual(made.headers['location'], `/api/v1/partner/organisations/org_main/${at}/cash-outs/${cashOutId}`);
    strictEqual(
      (await must(409, 'POST', `${at}/cash-outs`, { body: { amount: 100.01 } })).json.code,
      'exceeds_deposit',
    );
    strictEqual((await must(409, 'POST', `${at}/finish`)).json.code, 'open_cash_outs');
    strictEqual((await must(409, 'POST', `${at}/cash-outs/${cashOutId}/deny`)).json.code, 'wrong_state');
    ok((await requests.cashOuts.perform(own, id, cashOutId, 'claim', { claim: 'It was broken before' }, alone)).isOk());
    const offer = await must(200, 'POST', `${at}/cash-outs/${cashOutId}/offer`, { body: { amount: 300 } });
    deepStrictEqual([offer.json.amount, offer.json.status], [300, 'requested']);
    ok((await requests.cashOuts.perform(own, id, cashOutId, 'claim', {}, alone)).isOk());
    strictEqual((await must(200, 'POST', `${at}/cash-outs/${cashOutId}/deny`)).json.status, 'denied');
    strictEqual((await must(200, 'GET', at)).json.status, 'litigation');
    await must(200, 'POST', `${at}/cash-outs/${cashOutId}/cancel`);
    deepStrictEqual((await must(200, 'GET', `${at}/cash-outs?status=cancelled`)).json.items, [
      (await must(200, 'GET', `${at}/cash-outs/${cashOutId}`)).json,
    ]);
    deepStrictEqual((await must(200, 'GET', `${at}/cash-outs?status=done`)).json, { items: [] });
    strictEqual((await must(200, 'POST', `${at}/finish`)).json.status, 'finished');
    deepStrictEqual(await client.eventsOf('org_main', id), [
      'creation',
      'deposit_success',
      'check_in',
      'check_out',
      'cashout',
      'cashout_reclamation',
      'cashout_new_offer',
      'cashout_reclamation',
      'cashout_owner_deny_reclamation',
      'litigation',
      'cashout_cancel',
      'finish',
    ]);
  },
  'a template gives what a request leaves out, and what becomes of it changes no request': async (client) => {
    const { must } = client;
    for (const [templates, requests, amount] of [
      ['payment-templates', 'payment-requests', 'amount'],
      ['security-deposit-templates', 'security-deposits', 'depositAmount'],
    ] as const) {
      const body = { name: 'Weekend', description: 'Two nights', [amount]: 80, currency: 'CHF' };
      const template = await must(201, 'POST', templates, { body });
      const { recipient } = payment;
      const from = { templateId: template.json.id, recipient };
      const made = await must(201, 'POST', requests, { body: from });
      const { name, description, currency, templateId } = made.json;
      deepStrictEqual(
        { name, description, [amount]: made.json[amount], currency, templateId },
        { ...body, templateId: template.json.id },
      );
      const other = await must(201, 'POST', requests, {
        body: { ...from, name: 'Week', [amount]: 7, currency: 'JPY' },
      });
      deepStrictEqual([other.json.name, other.json[amount], other.json.currency], ['Week', 7, 'JPY']);
      await must(200, 'PATCH', `${templates}/${template.json.id}`, {
        body: { name: 'Longer', [amount]: 1, currency: 'EUR' },
      });
      await must(204, 'DELETE', `${templates}/${template.json.id}`);
      for (const method of ['GET', 'DELETE']) await must(404, method, `${templates}/${template.json.id}`);
      strictEqual((await must(200, 'GET', `${requests}/${made.json.id}`)).body, made.body);
      strictEqual((await must(400, 'POST', requests, { body: from })).json.errors[0].pointer, '/templateId');
      deepStrictEqual(await client.eventsOf('org_main', template.json.id), ['creation', 'update', 'deletion']);
      deepStrictEqual(
        (await must(200, 'GET', `${requests}?templateId=${template.json.id}`)).json.items.map(
          ({ id }: { id: string }) => id,
        ),
        [made.json.id, other.json.id],
      );
    }
  },
  'a list comes page by page, each once, filtered': async (client) => {
    const { must } = client;
    const ids: string[] = [];
    for (let count = 0; count < 7; count++) ids.push(await newPayment(client));
    await must(201, 'POST', 'payment-requests', { body: payment, as: 'stranger', account: 'org_stranger' });
    await must(201, 'POST', 'payment-requests', { body: payment, account: 'org_child' });
    await must(200, 'POST', `payment-requests/${ids[2]}/cancel`);
    const read: string[] = [];
    for (let next = ''; ; ) {
      const page = (await must(200, 'GET', `payment-requests?limit=3${next}`)).json;
      read.push(...page.items.map(({ id }: { id: string }) => id));
      if (page.next === undefined) break;
      next = `&after=${encodeURIComponent(page.next)}`;
    }
    deepStrictEqual(read, ids);
    const listed = async (query: string): Promise<number> =>
      (await must(200, 'GET', `payment-requests?${query}`)).json.items.length;
    strictEqual(await listed('status=cancelled'), 1);
    strictEqual(await listed('status=pending'), 6);
    strictEqual(await listed('createdFrom=0'), 7);
    strictEqual(await listed('createdTo=1000000000'), 0);
    strictEqual(await listed('createdFrom=9999999999'), 0);
    strictEqual(await listed('templateId=none'), 0);
  },
};

/** @internal */
export const sharingCases: RequestsCases = {
  'a parent manages what is its child’s, under the child’s id alone': async ({ must }) => {
    const { id } = (await must(201, 'POST', 'payment-requests', { body: payment, account: 'org_child' })).json;
    await must(200, 'GET', `payment-requests/${id}`, { account: 'org_child' });
    await must(404, 'GET', `payment-requests/${id}`);
    await must(200, 'POST', `payment-requests/${id}/cancel`, { account: 'org_child' });
  },
  'what is another account’s is not there, whatever is asked of it': async (client) => {
    const { must, ask } = client;
    const { id } = (await must(201, 'POST', 'payment-requests', { body: payment })).json;
    const depositId = await newDeposit(client);
    const cashOut = (await must(201, 'POST', `security-deposits/${depositId}/cash-outs`, { body: { amount: 1 } })).json;
    const template = (await must(201, 'POST', 'payment-templates', { body: { name: 'Weekend' } })).json;
    const before = await client.stored();
    const theirs = { as: 'stranger', account: 'org_stranger' } as const;
    const asked = [
      ['GET', `payment-requests/${id}`],
      ['PATCH', `payment-requests/${id}`, { name: 'Mine' }],
      ['POST', `payment-requests/${id}/cancel`],
      ['POST', `security-deposits/${depositId}/check-in`],
      ['GET', `security-deposits/${depositId}/cash-outs`],
      ['POST', `security-deposits/${depositId}/cash-outs`, { amount: 1 }],
      ['GET', `security-deposits/${depositId}/cash-outs/${cashOut.id}`],
      ['POST', `security-deposits/${depositId}/cash-outs/${cashOut.id}/cancel`],
      ['DELETE', `payment-templates/${template.id}`],
    ] as const;
    for (const [method, path, body] of asked) {
      await must(404, method, path, { ...theirs, body });
      // Neither by their token under our id.
      await must(404, method, path, { as: 'stranger', body });
      const nowhere = await ask(method, path.replace(/[0-9a-f-]{36}$/, 'none'), { ...theirs, body });
      strictEqual(nowhere.status, 404);
    }
    const stolen = { ...payment, templateId: template.id };
    await must(400, 'POST', 'payment-requests', { ...theirs, body: stolen });
    await must(404, 'GET', 'payment-requests', { account: 'org_dev' });
    deepStrictEqual((await must(200, 'GET', 'payment-requests', theirs)).json, { items: [] });
    strictEqual(await client.stored(), before);
  },
  'a body is not waited for before the token was accepted': async ({ must }) => {
    const headers = { authorization: 'Bearer nonsense', 'content-type': 'application/json' };
    const unsentBytes = 60_000;
    for (const [method, path] of [
      ['POST', 'payment-requests'],
      ['PATCH', 'payment-requests/x'],
      ['POST', 'security-deposits/x/cash-outs'],
      ['DELETE', 'payment-templates/x'],
    ] as const) {
      strictEqual((await must(401, method, path, { headers, unsentBytes })).json.code, 'invalid_token');
      await must(404, method, path, { as: 'stranger', unsentBytes });
    }
  },
  'a cursor of another account, of another list or made up is refused': async (client) => {
    const { must } = client;
    for (let count = 0; count < 3; count++) {
      await newPayment(client);
      await must(201, 'POST', 'payment-requests', { body: payment, account: 'org_child' });
    }
    const { next } = (await must(200, 'GET', 'payment-requests?limit=1')).json;
    const after = encodeURIComponent(next);
    for (const path of [
      `payment-requests?after=${after}&status=pending`,
      `security-deposits?after=${after}`,
      'payment-requests?after=',
      'payment-requests?after=1',
      `payment-requests?after=${after}0`,
      `payment-requests?after=${encodeURIComponent(next.replace(/.$/, '7'))}`,
    ])
      strictEqual((await must(400, 'GET', path)).json.code, 'invalid_cursor', path);
    const foreign = await must(400, 'GET', `payment-requests?after=${after}`, { account: 'org_child' });
    strictEqual(foreign.json.code, 'invalid_cursor');
  },
  'of many that give one command at once one wins, and the others are told': async (client) => {
    const id = await newPayment(client);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.ask('POST', `payment-requests/${id}/cancel`)),
    );
    strictEqual(answers.filter(({ status }) => status === 200).length, 1);
    for (const { status, json } of answers)
      ok(status === 200 || (status === 409 && ['changed_meanwhile', 'wrong_state'].includes(json.code)));
    deepStrictEqual(await client.eventsOf('org_main', id), ['creation', 'cancel']);
  },
  'cash-outs that are asked for at once never exceed the deposit': async (client) => {
    const id = await newDeposit(client);
    for (let round = 0; round < 4; round++)
      await Promise.all(
        Array.from({ length: 8 }, () =>
          client.ask('POST', `security-deposits/${id}/cash-outs`, { body: { amount: 70 } }),
        ),
      );
    const { items } = (await client.must(200, 'GET', `security-deposits/${id}/cash-outs`)).json;
    strictEqual(items.length, 4);
  },
};
