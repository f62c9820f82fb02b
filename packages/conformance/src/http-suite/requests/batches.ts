import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CommandRejection } from '@partnerkit/core/requests';
import type { RequestsCases } from './case.ts';
import { deposit, payment, type RequestsClient } from './client.ts';
import { newPayment } from './made.ts';

interface Result {
  readonly status: number;
  readonly version?: number;
  readonly object?: { readonly id: string; readonly status: string; readonly reference?: string };
  readonly problem?: { readonly code: string; readonly errors?: readonly { readonly pointer: string }[] };
}
const batch = (client: RequestsClient, path: string, items: readonly unknown[], key = 'batch-1') =>
  client.send('POST', path, { body: { items }, headers: { 'idempotency-key': key } });
const resultsOf = async (sent: ReturnType<typeof batch>): Promise<readonly Result[]> => {
  const { status, json, body } = await sent;
  strictEqual(status, 200, body);
  return json.items;
};
/** Lets the event loop turn. */
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
};
const shortly = ({ status, problem }: Result) => [
  status,
  problem?.code,
  ...(problem?.errors ?? []).map((e) => e.pointer),
];

/** Commands on many objects in one request. */
export const batchCases: RequestsCases = {
  'a batch creates each object, refuses each wrong item by itself, and keeps the order': async (client) => {
    for (const [path, valid, wrong, pointer] of [
      ['payment-requests', payment, { ...payment, amount: 0 }, '/amount'],
      ['security-deposits', deposit, { ...deposit, depositAmount: 0 }, '/depositAmount'],
    ] as const) {
      const items = [{ ...valid, reference: 'a' }, wrong, null, { ...valid, reference: 'b' }];
      const results = await resultsOf(batch(client, `${path}/batch`, items, path));
      deepStrictEqual(results.map(shortly), [
        [201, undefined],
        [400, 'invalid_input', pointer],
        [400, 'invalid_input', ''],
        [201, undefined],
      ]);
      const made = results.flatMap(({ object }) => (object ? [object] : []));
      deepStrictEqual(
        made.map(({ reference }) => reference),
        ['a', 'b'],
      );
      for (const object of made) {
        deepStrictEqual((await client.must(200, 'GET', `${path}/${object.id}`)).json, object);
        deepStrictEqual(await client.eventsOf('org_main', object.id), ['creation']);
      }
      strictEqual((await client.must(200, 'GET', path)).json.items.length, 2);
    }
  },
  'the same batch gets the same results, and each object exists once; the key with another batch is a conflict': async (
    client,
  ) => {
    const items = [payment, { ...payment, amount: 0 }, { ...payment, amount: 7 }];
    const racing = await Promise.all(Array.from({ length: 5 }, () => batch(client, 'payment-requests/batch', items)));
    const again = await batch(client, 'payment-requests/batch', items);
    for (const { status, body } of racing) deepStrictEqual([status, body], [200, again.body]);
    const before = await client.stored();
    strictEqual((await client.must(200, 'GET', 'payment-requests')).json.items.length, 2);
    for (const [path, other] of [
      ['payment-requests/batch', [payment]],
      ['security-deposits/batch', items],
      ['payment-requests/batch/cancel', items],
    ] as const) {
      const { status, json } = await batch(client, path, other);
      deepStrictEqual([status, json.code], [422, 'idempotency_conflict']);
    }
    const alone = await client.send('POST', 'payment-requests', {
      body: payment,
      headers: { 'idempotency-key': 'batch-1' },
    });
    deepStrictEqual([alone.status, alone.json.code], [422, 'idempotency_conflict']);
    strictEqual(await client.stored(), before);
  },
  'a batch whose items are all refused keeps its key, too': async (client) => {
    const [first] = await resultsOf(batch(client, 'payment-requests/batch', [{ ...payment, amount: 0 }]));
    strictEqual(first?.status, 400);
    const { status, json } = await batch(client, 'payment-requests/batch', [payment]);
    deepStrictEqual([status, json.code], [422, 'idempotency_conflict']);
  },
  'a batch cancels each object, by its version where one is given': async (client) => {
    const [one, two, three, foreign] = [
      await newPayment(client),
      await newPayment(client),
      await newPayment(client),
      (await client.must(201, 'POST', 'payment-requests', { body: payment, as: 'stranger', account: 'org_stranger' }))
        .json.id,
    ];
    const reason = { code: 'closed' };
    const results = await resultsOf(
      batch(client, 'payment-requests/batch/cancel', [
        { id: one, reason },
        { id: two, ifVersion: 2 },
        { id: two, ifVersion: 1 },
        { id: one },
        { id: foreign },
        { id: 'none' },
        { id: three, why: 'so' },
        { id: three, ifVersion: 0 },
        { reason },
        three,
      ]),
    );
    deepStrictEqual(results.map(shortly), [
      [200, undefined],
      [412, 'version_mismatch'],
      [200, undefined],
      [409, 'wrong_state'],
      [404, 'not_found'],
      [404, 'not_found'],
      [400, 'invalid_input', '/why'],
      [400, 'invalid_input', '/ifVersion'],
      [400, 'invalid_input', '/id'],
      [400, 'invalid_input', ''],
    ]);
    deepStrictEqual(
      [results[0]?.version, results[0]?.object],
      [2, (await client.must(200, 'GET', `payment-requests/${one}`)).json],
    );
    strictEqual((await client.must(200, 'GET', `payment-requests/${three}`)).json.status, 'pending');
    deepStrictEqual(await client.eventsOf('org_main', two), ['creation', 'cancel']);
    deepStrictEqual(await client.eventsOf('org_stranger', foreign), ['creation']);
  },
  'a hook that rejects an item refuses it alone, and one that fails stops the batch, which then continues': async (
    client,
  ) => {
    const created: number[] = [];
    let breaks = true;
    client.onCommand(({ object, after }) => {
      if (object !== 'RequestPayment') return;
      if (after.amount === 200) throw new CommandRejection({ code: 'limit_reached', detail: 'No.', status: 422 });
      if (after.amount === 300 && breaks) throw new Error('the ledger is down');
      created.push(after.amount);
    });
    const items = [1, 2, 3, 4].map((amount) => ({ ...payment, amount }));
    const failed = await batch(client, 'payment-requests/batch', items);
    deepStrictEqual([failed.status, failed.json.code], [503, 'unavailable']);
    strictEqual((await client.must(200, 'GET', 'payment-requests')).json.items.length, 1);
    breaks = false;
    const results = await resultsOf(batch(client, 'payment-requests/batch', items));
    deepStrictEqual(results.map(shortly), [
      [201, undefined],
      [422, 'limit_reached'],
      [201, undefined],
      [201, undefined],
    ]);
    deepStrictEqual(created, [100, 300, 400]);
  },
  'a batch begins no further item when its connection closes, and the same batch continues': async (client) => {
    const created: number[] = [];
    const connection = new AbortController();
    client.onCommand(async ({ object, after }) => {
      if (object !== 'RequestPayment') return;
      created.push(after.amount);
      if (created.length === 2) connection.abort();
      await turns(20);
    });
    const items = Array.from({ length: 100 }, (_item, index) => ({ ...payment, amount: index + 1 }));
    const sent = { body: { items }, headers: { 'idempotency-key': 'batch-1' }, signal: connection.signal };
    await rejects(client.send('POST', 'payment-requests/batch', sent), { name: 'AbortError' });
    // A batch that goes on would need 2,000 turns for its items.
    await turns(5_000);
    ok(created.length < 100, `${created.length} items were created after the connection had closed`);
    client.onCommand(({ object, after }) => {
      if (object === 'RequestPayment') created.push(after.amount);
    });
    strictEqual((await resultsOf(batch(client, 'payment-requests/batch', items))).length, 100);
    deepStrictEqual(
      created,
      items.map(({ amount }) => amount * 100),
    );
  },
  'a batch has at most 100 items and 1 MiB, and an Idempotency-Key': async (client) => {
    const before = await client.stored();
    const many = Array.from({ length: 100 }, () => ({ id: 'none' }));
    const refused = async (items: readonly unknown[], status: number, code: string) => {
      const answer = await batch(client, 'payment-requests/batch/cancel', items, 'many');
      deepStrictEqual([answer.status, answer.json.code], [status, code]);
    };
    await refused([...many, { id: 'none' }], 400, 'invalid_input');
    await refused([], 400, 'invalid_input');
    await refused([{ id: 'x'.repeat(1_048_576) }], 413, 'too_large');
    const unkeyed = await client.must(400, 'POST', 'payment-requests/batch', { body: { items: [payment] } });
    deepStrictEqual(
      [unkeyed.json.code, unkeyed.json.detail],
      ['bad_request', 'Idempotency-Key: missing; this request needs one.'],
    );
    strictEqual(await client.stored(), before);
    const results = await resultsOf(batch(client, 'payment-requests/batch/cancel', many, 'many'));
    deepStrictEqual(new Set(results.map(({ status }) => status)), new Set([404]));
    strictEqual(results.length, 100);
    for (const path of ['payment-templates/batch', 'security-deposits/x/cash-outs/batch'])
      strictEqual((await client.send('POST', path, { body: { items: [] } })).status, 405);
    await client.must(405, 'GET', 'payment-requests/batch');
  },
};
