import { deepStrictEqual, strictEqual } from 'node:assert';
import { newPayment, type RequestsCases } from './requests-cases.ts';
import { deposit, payment } from './requests-client.ts';

/** @internal */
export const conditionCases: RequestsCases = {
  'If-Match lets a command through for the version that it names, and for no other': async (client) => {
    const id = await newPayment(client);
    const path = `payment-requests/${id}`;
    const change = (match: string | readonly string[]) =>
      client.ask('PATCH', path, { body: { name: 'Changed' }, headers: { 'if-match': match } });
    for (const stale of ['"2"', 'W/"1"', '"x"', '""', '"01"', '"2", "3"'])
      deepStrictEqual(
        await change(stale).then(({ status, json }) => [status, json.code]),
        [412, 'version_mismatch'],
        stale,
      );
    for (const wrong of ['1', '"1', 'x', '', '"1" "2"', '*, "1"'])
      deepStrictEqual(await change(wrong).then(({ status, json }) => [status, json.code]), [400, 'bad_request'], wrong);
    strictEqual((await client.must(200, 'GET', path)).headers['etag'], '"1"');
    strictEqual((await change('"1"')).headers['etag'], '"2"');
    strictEqual((await change('"7", "2"')).headers['etag'], '"3"');
    strictEqual((await change('*')).headers['etag'], '"4"');
    await client.must(412, 'POST', `${path}/cancel`, { headers: { 'if-match': '"3"' } });
    const racing = await Promise.all(
      Array.from({ length: 10 }, () =>
        client.ask('PATCH', path, { body: { name: 'Race' }, headers: { 'if-match': '"4"' } }),
      ),
    );
    deepStrictEqual(racing.map(({ status }) => status).sort(), [200, ...Array.from({ length: 9 }, () => 412)]);
  },
  'the same idempotency key and body get the same answer, and make one object': async (client) => {
    const headers = { 'idempotency-key': 'order-1' };
    const ask = () => client.ask('POST', 'payment-requests', { body: payment, headers });
    const racing = await Promise.all(Array.from({ length: 20 }, ask));
    const { body, headers: first } = await ask();
    for (const each of racing) {
      deepStrictEqual([each.status, each.body], [201, body]);
      deepStrictEqual([each.headers['etag'], each.headers['location']], [first['etag'], first['location']]);
    }
    strictEqual((await client.must(200, 'GET', 'payment-requests')).json.items.length, 1);
    const { id } = JSON.parse(body);
    const cancel = () =>
      client.must(200, 'POST', `payment-requests/${id}/cancel`, { headers: { 'idempotency-key': 'c' } });
    strictEqual((await cancel()).body, (await cancel()).body);
    deepStrictEqual(await client.eventsOf('org_main', id), ['creation', 'cancel']);
  },
  'an idempotency key with another request is a conflict, and stores nothing': async (client) => {
    const headers = { 'idempotency-key': 'order-1' };
    const made = (await client.must(201, 'POST', 'payment-requests', { body: payment, headers })).json;
    const before = await client.stored();
    for (const [path, body] of [
      ['payment-requests', { ...payment, amount: 1 }],
      ['security-deposits', deposit],
      [`payment-requests/${made.id}/cancel`, undefined],
    ] as const)
      strictEqual((await client.must(409, 'POST', path, { body, headers })).json.code, 'idempotency_conflict');
    strictEqual(await client.stored(), before);
    // It is another client's, or another account's, own.
    await client.must(201, 'POST', 'payment-requests', { body: payment, headers, as: 'second' });
    await client.must(201, 'POST', 'payment-requests', { body: payment, headers, account: 'org_child' });
  },
  'a refusal keeps no idempotency key': async (client) => {
    const headers = { 'idempotency-key': 'order-1' };
    await client.must(400, 'POST', 'payment-requests', { body: { ...payment, amount: 0 }, headers });
    await client.must(201, 'POST', 'payment-requests', { body: payment, headers });
  },
  'an idempotency key that is none is refused': async (client) => {
    const before = await client.stored();
    for (const key of ['', 'a b', 'é', 'x'.repeat(256)])
      await client.must(400, 'POST', 'payment-requests', { body: payment, headers: { 'idempotency-key': key } });
    strictEqual(await client.stored(), before);
    await client.must(201, 'POST', 'payment-requests', {
      body: payment,
      headers: { 'idempotency-key': 'x'.repeat(255) },
    });
  },
};
