import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { RequestsCases } from './case.ts';
import { payment } from './client.ts';
import { alone, newDeposit, own } from './made.ts';

export const lifecycleCases: RequestsCases = {
  'a payment request is created, read, changed and cancelled': async (client) => {
    const { must } = client;
    const made = await must(201, 'POST', 'payment-requests', { body: { ...payment, description: 'Deux nuits 🏡' } });
    const { id, createdAt, updatedAt, ...fields } = made.json;
    deepStrictEqual(fields, {
      ...payment,
      organisationId: 'org_main',
      status: 'pending',
      description: 'Deux nuits 🏡',
    });
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
  'a security deposit and its cash-outs pass through their states': async (client) => {
    const { must, requests } = client;
    const id = await newDeposit(client);
    const at = `security-deposits/${id}`;
    strictEqual((await must(409, 'POST', `${at}/check-out`)).json.code, 'not_checked_in');
    ok((await must(200, 'POST', `${at}/check-in`)).json.checkedInAt > 0);
    strictEqual((await must(409, 'POST', `${at}/check-in`)).json.code, 'already_done');
    await must(200, 'POST', `${at}/check-out`);

    const made = await must(201, 'POST', `${at}/cash-outs`, { body: { amount: 200, description: 'A broken window' } });
    const { id: cashOutId, status, amount, currency, description } = made.json;
    deepStrictEqual(
      { status, amount, currency, description },
      { status: 'requested', amount: 200, currency: 'EUR', description: 'A broken window' },
    );
    strictEqual(made.headers['location'], `/api/v1/partner/organisations/org_main/${at}/cash-outs/${cashOutId}`);
    strictEqual(
      (await must(409, 'POST', `${at}/cash-outs`, { body: { amount: 100.01 } })).json.code,
      'exceeds_deposit',
    );
    strictEqual((await must(409, 'POST', `${at}/finish`)).json.code, 'open_cash_outs');
    strictEqual((await must(409, 'POST', `${at}/cash-outs/${cashOutId}/deny`)).json.code, 'wrong_state');
    ok(
      (
        await requests.cashOuts.perform(own.id, cashOutId, 'claim', {
          input: { claim: 'It was broken before' },
          ...alone,
        })
      ).isOk(),
    );
    const offer = await must(200, 'POST', `${at}/cash-outs/${cashOutId}/offer`, { body: { amount: 300 } });
    deepStrictEqual([offer.json.amount, offer.json.status], [300, 'requested']);
    ok((await requests.cashOuts.perform(own.id, cashOutId, 'claim', alone)).isOk());
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
      'update',
      'finish',
    ]);
  },
  'a dispute is settled at half, and the remainder may be cashed out': async (client) => {
    const { must, requests } = client;
    const id = await newDeposit(client);
    const at = `security-deposits/${id}`;
    const cashOutId = (await must(201, 'POST', `${at}/cash-outs`, { body: { amount: 300 } })).json.id;
    const cashOut = `${at}/cash-outs/${cashOutId}`;
    const give = async (command: 'claim' | 'settle' | 'escrow' | 'complete', input: object = {}) =>
      ok((await requests.cashOuts.perform(own.id, cashOutId, command, { input, ...alone })).isOk(), command);

    await give('claim', { claim: 'It was broken before' });
    const claimed = (await must(200, 'GET', cashOut)).json;
    deepStrictEqual([claimed.status, claimed.claim], ['claimed', 'It was broken before']);
    ok(claimed.claimedAt > 0);
    const denied = await must(200, 'POST', `${cashOut}/deny`, { body: { reason: { code: 'photo', text: 'See it' } } });
    deepStrictEqual(denied.json.reason, { code: 'photo', text: 'See it' });
    const disputed = (await must(200, 'GET', at)).json;
    deepStrictEqual([disputed.status, disputed.reason], ['litigation', { code: 'photo', text: 'See it' }]);
    strictEqual((await must(409, 'POST', `${at}/finish`)).json.code, 'wrong_state');
    strictEqual((await must(409, 'POST', `${at}/cash-outs`, { body: { amount: 1 } })).json.code, 'exceeds_deposit');

    await give('settle', { amount: 150, reason: { code: 'half' } });
    const settled = (await must(200, 'GET', cashOut)).json;
    deepStrictEqual([settled.status, settled.amount, settled.reason], ['settled', 150, { code: 'half' }]);
    strictEqual((await must(200, 'GET', at)).json.status, 'in_progress');
    await give('escrow');
    await give('complete');
    strictEqual((await must(200, 'GET', cashOut)).json.status, 'done');

    const more = { body: { amount: 150.01 } };
    strictEqual((await must(409, 'POST', `${at}/cash-outs`, more)).json.code, 'exceeds_deposit');
    const rest = (await must(201, 'POST', `${at}/cash-outs`, { body: { amount: 150 } })).json;
    await must(200, 'POST', `${at}/cash-outs/${rest.id}/cancel`);
    const { status, cashOuts } = (await must(200, 'POST', `${at}/finish`)).json;
    strictEqual(status, 'finished');
    deepStrictEqual(cashOuts, [
      { id: cashOutId, status: 'done', amount: 150, currency: 'EUR' },
      { id: rest.id, status: 'cancelled', amount: 150, currency: 'EUR' },
    ]);
    deepStrictEqual(await client.eventsOf('org_main', id), [
      'creation',
      'deposit_success',
      'cashout',
      'cashout_reclamation',
      'cashout_owner_deny_reclamation',
      'litigation',
      'update',
      'update',
      'update',
      'cashout_done',
      'cashout',
      'cashout_cancel',
      'finish',
    ]);
  },
};
