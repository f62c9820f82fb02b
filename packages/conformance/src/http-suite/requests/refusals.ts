import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { RequestsCases } from './case.ts';
import { deposit, payment } from './client.ts';
import { alone, newDeposit, newPayment, own } from './made.ts';

/** Valid commands that a state or a rule refuses. */
export const refusalCases: RequestsCases = {
  'a command that a state or a rule refuses stores nothing': async (client) => {
    const { must, requests, stored } = client;
    const pending = await newPayment(client);
    const early = (await must(201, 'POST', 'security-deposits', { body: deposit })).json.id;
    const held = await newDeposit(client);
    const cashOuts = `security-deposits/${held}/cash-outs`;
    const cashOut = (await must(201, 'POST', cashOuts, { body: { amount: 1 } })).json.id;
    const disputed = await newDeposit(client);
    const claimed = (await must(201, 'POST', `security-deposits/${disputed}/cash-outs`, { body: { amount: 1 } })).json;
    ok((await requests.cashOuts.perform(own.id, claimed.id, 'claim', alone)).isOk());
    const ended = await newDeposit(client);
    const input = { claimUntil: 1 };
    ok((await requests.deposits.perform(own.id, ended, 'setTerm', { input, ...alone })).isOk());
    const before = await stored();
    for (const [code, path, body] of [
      ['wrong_state', `security-deposits/${early}/cash-outs`, { amount: 1 }],
      ['wrong_state', `security-deposits/${early}/check-in`],
      ['wrong_state', `${cashOuts}/${cashOut}/deny`],
      ['not_checked_in', `security-deposits/${held}/check-out`],
      ['open_cash_outs', `security-deposits/${held}/finish`],
      ['claim_ended', `security-deposits/${ended}/cash-outs`, { amount: 1 }],
      ['exceeds_deposit', cashOuts, { amount: 299.01 }],
      ['exceeds_deposit', cashOuts, { amount: 1e6 }],
      ['exceeds_deposit', `${cashOuts}/${cashOut}/offer`, { amount: 300.01 }],
      ['wrong_state', `security-deposits/${held}/cancel`],
    ] as const) {
      const { json } = await must(409, 'POST', path, { body });
      deepStrictEqual([json.code, typeof json.detail], [code, 'string'], path);
    }
    await must(409, 'PATCH', `security-deposits/${held}`, { body: { name: 'Later' } });
    strictEqual(await stored(), before);
    await must(200, 'GET', `payment-requests/${pending}`);
  },
  'partners cannot give commands of the host, and unknown methods are refused': async (client) => {
    const { must, stored } = client;
    const paid = `payment-requests/${await newPayment(client)}`;
    const held = await newDeposit(client);
    const cashOuts = `security-deposits/${held}/cash-outs`;
    const cashOut = (await must(201, 'POST', cashOuts, { body: { amount: 1 } })).json.id;
    const before = await stored();
    for (const path of [
      ...['succeed', 'set-payment-url', 'setPaymentUrl', 'fail-transaction', 'refund', 'create', 'change'].map(
        (command) => `${paid}/${command}`,
      ),
      ...['succeed-deposit', 'litigate', 'resume', 'fail', 'checkIn', 'Check-In'].map(
        (command) => `security-deposits/${held}/${command}`,
      ),
      ...['claim', 'accept', 'settle', 'escrow', 'complete', 'fail', 'constructor', '__proto__'].map(
        (command) => `${cashOuts}/${cashOut}/${command}`,
      ),
    ])
      strictEqual((await must(404, 'POST', path, { body: {} })).json.code, 'not_found', path);
    await must(405, 'PUT', paid, { body: payment });
    await must(405, 'DELETE', paid);
    await must(405, 'POST', `${paid}/events`, { body: {} });
    strictEqual(await stored(), before);
  },
};
