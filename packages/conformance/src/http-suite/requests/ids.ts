import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { RequestsCases } from './case.ts';
import { deposit, payment } from './client.ts';
import { alone, own } from './made.ts';
import type { RequestsSettings } from './platform.ts';

/** Serial ids that need percent-encoding, and a payment address for each. */
export const withSerialIds = (): RequestsSettings => {
  let last = 0;
  return {
    newId: async (object, { account }) => `${object[0]}/${account.id} n°${++last}?#%;`,
    paymentUrl: async ({ record }) => `https://pay.example/${encodeURIComponent(record.id)}`,
  };
};

const base = '/api/v1/partner/organisations/org_main/';
/** The path of a new object, from its `Location`. */
const locationOf = ({ headers }: { readonly headers: Readonly<Record<string, string>> }): string => {
  const { location = '' } = headers;
  ok(location.startsWith(base), location);
  return location.slice(base.length);
};

/** Cases of a platform with ids of the host. */
export const idCases: RequestsCases = {
  'ids of the host are served, and Location encodes them': async (client) => {
    const { must, requests } = client;
    const made = await must(201, 'POST', 'payment-requests', { body: payment });
    strictEqual(made.json.id, 'R/org_main n°1?#%;');
    const path = locationOf(made);
    strictEqual(path, 'payment-requests/R%2Forg_main%20n%C2%B01%3F%23%25%3B');
    strictEqual((await must(200, 'GET', path)).body, made.body);
    strictEqual((await must(200, 'PATCH', path, { body: { name: 'Longer' } })).json.name, 'Longer');
    strictEqual((await must(200, 'POST', `${path}/cancel`)).json.status, 'cancelled');
    strictEqual((await must(200, 'GET', `${path}/events`)).json.items.length, 3);
    deepStrictEqual(await client.eventsOf('org_main', made.json.id), ['creation', 'update', 'cancel']);

    const held = await must(201, 'POST', 'security-deposits', { body: deposit });
    ok((await requests.deposits.perform(own.id, held.json.id, 'succeedDeposit', alone)).isOk());
    const cashOuts = `${locationOf(held)}/cash-outs`;
    const cashOut = await must(201, 'POST', cashOuts, { body: { amount: 5 } });
    strictEqual(locationOf(cashOut), `${cashOuts}/${encodeURIComponent(cashOut.json.id)}`);
    strictEqual((await must(200, 'GET', locationOf(cashOut))).body, cashOut.body);
    strictEqual((await must(200, 'POST', `${locationOf(cashOut)}/cancel`)).json.status, 'cancelled');
    const listed = await must(200, 'GET', `cash-outs?depositId=${encodeURIComponent(held.json.id)}`);
    strictEqual(listed.json.items.length, 1);

    const template = await must(201, 'POST', 'payment-templates', { body: { name: 'W', amount: 5, currency: 'EUR' } });
    const from = { templateId: template.json.id, recipient: payment.recipient };
    strictEqual((await must(201, 'POST', 'payment-requests', { body: from })).json.templateId, template.json.id);
    await must(204, 'DELETE', locationOf(template));
  },
};
