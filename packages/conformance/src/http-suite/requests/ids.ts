import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { RequestsCases } from './case.ts';
import { deposit, payment, type RequestsClient } from './client.ts';
import { alone, newPayment, own } from './made.ts';
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
  'objects with ids of the host are listed each once': async (client) => {
    const made: string[] = [];
    for (let count = 0; count < 5; count++) made.push(await newPayment(client));
    const read: string[] = [];
    for (let next = ''; ; ) {
      const page = (await client.must(200, 'GET', `payment-requests?limit=2${next}`)).json;
      read.push(...page.items.map(({ id }: { readonly id: string }) => id));
      if (page.next === undefined) break;
      next = `&after=${encodeURIComponent(page.next)}`;
    }
    deepStrictEqual(read, made);
  },
  'a new request has its payment address, also in its webhook': async (client) => {
    const { paymentUrl, id } = (await client.must(201, 'POST', 'payment-requests', { body: payment })).json;
    strictEqual(paymentUrl, `https://pay.example/${encodeURIComponent(id)}`);
    const [created] = await client.sentOf('org_main');
    strictEqual(created?.data.paymentUrl, paymentUrl);
    const moved = { paymentUrl: 'https://pay.example/moved' };
    ok((await client.requests.payments.perform(own.id, id, 'setPaymentUrl', { input: moved, ...alone })).isOk());
    const path = `payment-requests/${encodeURIComponent(id)}`;
    strictEqual((await client.must(200, 'GET', path)).json.paymentUrl, moved.paymentUrl);
    await client.must(400, 'PATCH', path, { body: moved });
  },
};

export const withUniqueReferences = (): RequestsSettings => ({ uniqueReferences: true });

const isTaken = async (client: RequestsClient, method: string, path: string, body: object): Promise<void> => {
  const { json } = await client.must(409, method, path, { body });
  strictEqual(json.code, 'reference_taken');
};

/** Cases of a platform that requires unique references. */
export const referenceCases: RequestsCases = {
  'a reference belongs to one object of its kind and account, until the object releases it': async (client) => {
    const { must } = client;
    const reference = 'B/7';
    const path = `payment-requests/${await newPayment(client, { reference })}`;
    const before = await client.stored();
    await isTaken(client, 'POST', 'payment-requests', { ...payment, reference });
    strictEqual(await client.stored(), before);
    // Of another kind, of another account, or with different letter case.
    await must(201, 'POST', 'security-deposits', { body: { ...deposit, reference } });
    await must(201, 'POST', 'payment-requests', { body: { ...payment, reference }, account: 'org_child' });
    await newPayment(client, { reference: 'b/7' });
    await newPayment(client);
    await newPayment(client);

    const other = `payment-requests/${await newPayment(client)}`;
    await isTaken(client, 'PATCH', other, { reference });
    await must(200, 'PATCH', path, { body: { reference } });
    await must(200, 'PATCH', path, { body: { reference: 'B/8' } });
    await must(200, 'PATCH', other, { body: { reference } });
    await isTaken(client, 'PATCH', path, { reference });
    await must(200, 'PATCH', other, { body: { reference: null } });
    await newPayment(client, { reference });
    // A finished object keeps its reference.
    await must(200, 'POST', `${path}/cancel`);
    await isTaken(client, 'POST', 'payment-requests', { ...payment, reference: 'B/8' });
  },
  'a deleted template releases its reference': async (client) => {
    const body = { name: 'Weekend', reference: 'T' };
    const { id } = (await client.must(201, 'POST', 'payment-templates', { body })).json;
    await isTaken(client, 'POST', 'payment-templates', body);
    await client.must(204, 'DELETE', `payment-templates/${id}`);
    await client.must(201, 'POST', 'payment-templates', { body });
  },
  'references of cash-outs are unique over all deposits': async (client) => {
    const { must, requests } = client;
    const [first, second] = await Promise.all(
      [1, 2].map(async () => {
        const { id } = (await must(201, 'POST', 'security-deposits', { body: deposit })).json;
        ok((await requests.deposits.perform(own.id, id, 'succeedDeposit', alone)).isOk());
        return `security-deposits/${id}/cash-outs`;
      }),
    );
    const body = { amount: 5, reference: 'C' };
    await must(201, 'POST', `${first}`, { body });
    await isTaken(client, 'POST', `${second}`, body);
  },
  'exactly one of many simultaneous uses of a reference succeeds': async (client) => {
    const body = { ...payment, reference: 'B/7' };
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => client.send('POST', 'payment-requests', { body })),
    );
    deepStrictEqual(answers.map(({ status }) => status).sort(), [201, ...Array.from({ length: 11 }, () => 409)]);
    strictEqual((await client.must(200, 'GET', 'payment-requests?reference=B%2F7')).json.items.length, 1);
  },
  'a refused reference leaves the idempotency key free': async (client) => {
    await newPayment(client, { reference: 'B/7' });
    const headers = { 'idempotency-key': 'k' };
    const body = { ...payment, reference: 'B/7' };
    strictEqual((await client.must(409, 'POST', 'payment-requests', { body, headers })).json.code, 'reference_taken');
    await client.must(201, 'POST', 'payment-requests', { body: { ...body, reference: 'B/8' }, headers });
  },
};
