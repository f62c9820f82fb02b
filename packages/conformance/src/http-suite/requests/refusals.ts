import { strictEqual } from 'node:assert';
import type { RequestsCases } from './case.ts';
import { payment } from './client.ts';
import { newDeposit, newPayment } from './made.ts';

/** Valid commands that a state or a rule refuses. */
export const refusalCases: RequestsCases = {
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
