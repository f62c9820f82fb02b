import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { RequestsCases } from './case.ts';
import { deposit, payment } from './client.ts';
import { newDeposit, newPayment } from './made.ts';

const stay = { from: '2027-03-01', to: '2027-03-04' };
const optional = {
  description: 'Two nights',
  dueDate: '2027-02-01',
  reference: 'B/7',
  metadata: { room: '12', floor: '1' },
};

/** Changes by RFC 7396, and the rules of money in them. */
export const changeCases: RequestsCases = {
  'a change merges the given fields, removes null fields, and keeps the others': async ({ must }) => {
    const recipient = { email: 'guest@example.com', name: 'Ann' };
    const made = await must(201, 'POST', 'security-deposits', { body: { ...deposit, ...optional, recipient, stay } });
    const path = `security-deposits/${made.json.id}`;
    const { id, organisationId, status, createdAt, updatedAt, cashOuts, ...fields } = made.json;
    strictEqual(organisationId, 'org_main');
    deepStrictEqual(fields, { ...deposit, ...optional, recipient, stay });
    deepStrictEqual([status, cashOuts], ['pending', []]);
    let expected = made.json;
    for (const [body, change] of [
      [
        { metadata: { floor: '2', constructor: 'Eiffel' } },
        { metadata: { room: '12', floor: '2', constructor: 'Eiffel' } },
      ],
      [{ metadata: { room: null, none: null, constructor: null } }, { metadata: { floor: '2' } }],
      [{ recipient: { name: null } }, { recipient: { email: 'guest@example.com' } }],
      [{ recipient: { name: 'Bob' } }, { recipient: { email: 'guest@example.com', name: 'Bob' } }],
      [{ recipient: { email: 'bob@example.com' } }, { recipient: { email: 'bob@example.com', name: 'Bob' } }],
      [{ stay: { to: '2027-03-05' } }, { stay: { from: '2027-03-01', to: '2027-03-05' } }],
      [
        { name: 'Longer', dueDate: '2027-02-02' },
        { name: 'Longer', dueDate: '2027-02-02' },
      ],
    ] as const) {
      const changed = await must(200, 'PATCH', path, { body });
      expected = { ...expected, ...change, updatedAt: changed.json.updatedAt };
      deepStrictEqual(changed.json, expected);
    }
    const removed = { description: null, dueDate: null, reference: null, metadata: null, stay: null };
    const { description: _d, dueDate: _u, reference: _r, metadata: _m, stay: _s, ...rest } = expected;
    deepStrictEqual((await must(200, 'PATCH', path, { body: removed })).json, rest);
    strictEqual((await must(200, 'GET', path)).headers['etag'], '"9"');
    // Metadata without a pair counts as absent.
    await must(200, 'PATCH', path, { body: { metadata: { room: '1' } } });
    const emptied = (await must(200, 'PATCH', path, { body: { metadata: { room: null } } })).json;
    deepStrictEqual(emptied, rest);
    ok(id);
    ok(updatedAt >= createdAt);
  },
  'a change is JSON or a merge patch, with the same meaning': async (client) => {
    const path = `payment-requests/${await newPayment(client)}`;
    for (const [type, name] of [
      ['application/json', 'A'],
      ['application/merge-patch+json', 'B'],
      ['Application/Merge-Patch+JSON; charset=utf-8', 'C'],
    ] as const) {
      const { json } = await client.must(200, 'PATCH', path, { body: { name }, headers: { 'content-type': type } });
      strictEqual(json.name, name);
    }
    for (const type of [
      'application/json-patch+json',
      'application/merge-patch+json; charset=utf-16',
      'merge-patch+json',
    ])
      await client.must(415, 'PATCH', path, { body: { name: 'D' }, headers: { 'content-type': type } });
  },
  'while a deposit is in progress, what its amount does not depend on can change, and the refusal names the rest':
    async (client) => {
      const { must } = client;
      const path = `security-deposits/${await newDeposit(client, { ...optional, stay, recipient: { ...deposit.recipient, name: 'Ann' } })}`;
      const read = (await must(200, 'GET', path)).json;
      const email = 'new@example.com';
      const change = {
        description: 'Three nights',
        stay: { to: '2027-03-05' },
        reference: 'B/8',
        metadata: { room: '14' },
      };
      const changed = (await must(200, 'PATCH', path, { body: { ...change, recipient: { email } } })).json;
      deepStrictEqual(changed, {
        ...read,
        ...change,
        stay: { ...stay, to: '2027-03-05' },
        metadata: { ...optional.metadata, room: '14' },
        recipient: { email, name: 'Ann' },
        updatedAt: changed.updatedAt,
      });
      const { items } = (await must(200, 'GET', `security-deposits?recipientEmail=${encodeURIComponent(email)}`)).json;
      deepStrictEqual(items, [changed]);
      const before = await client.stored();
      for (const [body, named] of [
        [{ depositAmount: 310 }, 'depositAmount'],
        [{ description: 'Four', name: 'Longer', recipient: { email, name: 'Bob' } }, 'name'],
        [{ name: 'Longer', depositAmount: 310 }, 'name, depositAmount'],
      ] as const) {
        const { json } = await must(409, 'PATCH', path, { body });
        deepStrictEqual(
          [json.code, json.detail],
          [
            'wrong_state',
            `It is in_progress: ${named} cannot be changed. While it is in_progress, these can: description, recipient, stay, reference, metadata.`,
          ],
        );
      }
      strictEqual(await client.stored(), before);
      deepStrictEqual((await client.eventsOf('org_main', read.id)).slice(-1), ['update']);
    },
  'a change without a difference is no command: same ETag, no event, no hook': async (client) => {
    const { must } = client;
    const paid = `payment-requests/${await newPayment(client, { ...optional, recipient: { email: 'a@example.com', name: 'Ann' } })}`;
    const held = (await must(201, 'POST', 'security-deposits', { body: { ...deposit, stay } })).json.id;
    const cashOuts = `security-deposits/${await newDeposit(client)}/cash-outs`;
    const cashOut = (await must(201, 'POST', cashOuts, { body: { amount: 5, description: 'Window' } })).json.id;
    const template = (await must(201, 'POST', 'payment-templates', { body: { name: 'W', amount: 5, currency: 'EUR' } }))
      .json.id;
    let calls = 0;
    client.onCommand(() => {
      calls++;
    });
    const before = await client.stored();
    for (const [path, body] of [
      [paid, { name: payment.name }],
      [paid, { amount: payment.amount }],
      [paid, { amount: payment.amount, currency: 'EUR' }],
      [paid, { metadata: { floor: '1', room: '12' } }],
      [paid, { metadata: { none: null } }],
      [paid, { metadata: {} }],
      [paid, { recipient: {} }],
      [paid, { recipient: { name: 'Ann' } }],
      [paid, optional],
      [`security-deposits/${held}`, { stay: { to: stay.to } }],
      [`security-deposits/${held}`, { description: null, reference: null, metadata: null }],
      [`security-deposits/${held}`, { depositAmount: 300 }],
      [`${cashOuts}/${cashOut}`, { description: 'Window', reference: null }],
      [`payment-templates/${template}`, { amount: 5 }],
    ] as const) {
      const read = await must(200, 'GET', path);
      await client.clock.pass(5_000);
      const same = await must(200, 'PATCH', path, { body, headers: { 'if-match': read.headers['etag'] ?? '' } });
      deepStrictEqual([same.body, same.headers['etag']], [read.body, read.headers['etag']], JSON.stringify(body));
      await must(412, 'PATCH', path, { body, headers: { 'if-match': '"99"' } });
    }
    deepStrictEqual([calls, await client.stored()], [0, before]);
    // In a state that allows no change, it is refused like any other change.
    await must(200, 'POST', `${paid}/cancel`);
    strictEqual((await must(409, 'PATCH', paid, { body: { name: payment.name } })).json.code, 'wrong_state');
    strictEqual(calls, 1);
  },
  'an amount keeps its currency, a currency requires an amount, and no digit is lost': async (client) => {
    const { must } = client;
    const path = `payment-requests/${await newPayment(client)}`;
    const patch = async (body: object) => {
      const { amount, currency } = (await must(200, 'PATCH', path, { body })).json;
      return [amount, currency];
    };
    deepStrictEqual(await patch({ amount: 80 }), [80, 'EUR']);
    deepStrictEqual(await patch({ amount: 1_500, currency: 'JPY' }), [1_500, 'JPY']);
    deepStrictEqual(await patch({ amount: 7 }), [7, 'JPY']);
    strictEqual((await must(400, 'PATCH', path, { body: { amount: 7.5 } })).json.errors[0].pointer, '/amount');
    deepStrictEqual(await patch({ amount: 7.125, currency: 'KWD' }), [7.125, 'KWD']);
    deepStrictEqual(await patch({ amount: 999_999_999.999 }), [999_999_999.999, 'KWD']);
    for (const [amount, currency] of [
      [9_999_999_999.99, 'EUR'],
      [999_999_999_999, 'JPY'],
      [0.01, 'EUR'],
      [0.07, 'EUR'],
      [1.1, 'EUR'],
      [4_503_599_627.37, 'EUR'],
      [0.001, 'KWD'],
    ] as const) {
      const made = await must(201, 'POST', 'payment-requests', { body: { ...payment, amount, currency } });
      ok(made.body.includes(`"amount":${amount},"currency":"${currency}"`), made.body);
    }
    for (const written of ['120.50', '1205e-1', '1.205e2', '120.500000000000000000'])
      strictEqual(
        (await must(201, 'POST', 'payment-requests', { body: JSON.stringify(payment).replace('120.5', written) })).json
          .amount,
        120.5,
      );
  },
};
