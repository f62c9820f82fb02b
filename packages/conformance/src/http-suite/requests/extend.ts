import { deepStrictEqual, strictEqual } from 'node:assert';
import type { DepositCommands } from '@partnerkit/core/requests';
import type { RequestsCases } from './case.ts';
import { alone, newDeposit, own } from './made.ts';

type Extension = DepositCommands['extend'];

/** A deposit that is extended while it runs. */
export const extendCases: RequestsCases = {
  'an extension changes the stay and the amount at once: one event, with its transaction': async (client) => {
    const { must, requests } = client;
    const id = await newDeposit(client, { stay: { from: '2027-03-01', to: '2027-03-04' } });
    const extend = (input: Extension) => requests.deposits.perform(own.id, id, 'extend', { input, ...alone });
    const stay = { from: '2027-03-01', to: '2027-03-08' };
    const authorisation = { kind: 'authorisation', amount: 120.5, processorReference: 'auth-2' } as const;
    (await extend({ depositAmount: 420.5, stay, transaction: authorisation }))._unsafeUnwrap();
    const longer = (await must(200, 'GET', `security-deposits/${id}`)).json;
    deepStrictEqual(
      [longer.depositAmount, longer.stay, longer.status, longer.reason, longer.sums],
      [420.5, stay, 'in_progress', { code: 'extended' }, { authorised: 420.5, secured: 420.5 }],
    );
    const release = { kind: 'release', amount: 20.5 } as const;
    (await extend({ depositAmount: 400, transaction: release }))._unsafeUnwrap();
    const term = { guaranteedUntil: 4_102_444_800, claimUntil: 4_102_358_400 };
    (await extend({ stay: { ...stay, to: '2027-03-09' }, ...term }))._unsafeUnwrap();
    const { guaranteedUntil, claimUntil } = (await must(200, 'GET', `security-deposits/${id}`)).json;
    deepStrictEqual({ guaranteedUntil, claimUntil }, term);
    const sent = (await client.sentOf('org_main')).filter(({ data }) => data.id === id).slice(2);
    deepStrictEqual(
      sent.map(({ type, data }) => [
        type,
        data.depositAmount,
        data.stay.to,
        data.transaction?.kind,
        data.transaction?.amount,
      ]),
      [
        ['update', 420.5, '2027-03-08', 'authorisation', 120.5],
        ['update', 400, '2027-03-08', 'release', 20.5],
        ['update', 400, '2027-03-09', undefined, undefined],
      ],
    );
    deepStrictEqual(sent.at(-1)?.data.sums, { authorised: 420.5, secured: 420.5, released: 20.5 });
  },
  'an extension leaves what cash-outs take and what is secured, and a refused one stores nothing': async (client) => {
    const { must, requests, stored } = client;
    const id = await newDeposit(client);
    await must(201, 'POST', `security-deposits/${id}/cash-outs`, { body: { amount: 250 } });
    const before = await stored();
    const codeOf = async (input: Extension) =>
      (await requests.deposits.perform(own.id, id, 'extend', { input, ...alone }))._unsafeUnwrapErr().code;
    const release = (amount: number) => ({ kind: 'release', amount }) as const;
    strictEqual(await codeOf({ depositAmount: 249.99, transaction: release(50.01) }), 'exceeds_deposit');
    strictEqual(await codeOf({ depositAmount: 260, transaction: release(300.01) }), 'exceeds_secured');
    strictEqual(await codeOf({ depositAmount: 260, transaction: { kind: 'refund', amount: 40 } }), 'exceeds_payment');
    strictEqual(await stored(), before);
    const input = { depositAmount: 250, transaction: release(50) };
    const lower = await requests.deposits.perform(own.id, id, 'extend', { input, ...alone });
    strictEqual(lower._unsafeUnwrap().amount, 25_000);
    const more = { amount: 50.01 };
    strictEqual(
      (await must(409, 'POST', `security-deposits/${id}/cash-outs`, { body: more })).json.code,
      'exceeds_deposit',
    );
  },
};
