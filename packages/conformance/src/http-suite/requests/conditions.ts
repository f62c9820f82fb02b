import { deepStrictEqual, notStrictEqual, ok, strictEqual } from 'node:assert';
import type { RequestsCases } from './case.ts';
import { deposit, payment } from './client.ts';
import { alone, newDeposit, newPayment, own } from './made.ts';

export const conditionCases: RequestsCases = {
  'a command with If-Match succeeds only at that version': async (client) => {
    const id = await newPayment(client);
    const path = `payment-requests/${id}`;
    let changes = 0;
    const change = (match: string | readonly string[]) =>
      client.send('PATCH', path, { body: { name: `Change ${changes++}` }, headers: { 'if-match': match } });
    for (const stale of ['"2"', 'W/"2"', '"2-gzip"', '"x"', '"1x"', '""', '"01"', '"2", "3"'])
      deepStrictEqual(
        await change(stale).then(({ status, json }) => [status, json.code]),
        [412, 'version_mismatch'],
        stale,
      );
    for (const wrong of ['1', '"1', 'x', '', 'w/"1"', '1-gzip', '"1" "2"', '*, "1"'])
      deepStrictEqual(await change(wrong).then(({ status, json }) => [status, json.code]), [400, 'bad_request'], wrong);
    strictEqual((await client.must(200, 'GET', path)).headers['etag'], '"1"');
    strictEqual((await change('"1"')).headers['etag'], '"2"');
    strictEqual((await change('"7", "2"')).headers['etag'], '"3"');
    strictEqual((await change('*')).headers['etag'], '"4"');
    await client.must(412, 'POST', `${path}/cancel`, { headers: { 'if-match': '"3"' } });
    const racing = await Promise.all(
      Array.from({ length: 10 }, () =>
        client.send('PATCH', path, { body: { name: 'Race' }, headers: { 'if-match': '"4"' } }),
      ),
    );
    deepStrictEqual(racing.map(({ status }) => status).sort(), [200, ...Array.from({ length: 9 }, () => 412)]);
  },
  'a tag names its version, as a proxy that compresses made it': async (client) => {
    // nginx and CDNs weaken it; Apache, Jetty and LiteSpeed append the coding.
    const forms = ['W/"1"', '"1-gzip"', '"1-br"', '"1--gzip"', '"1;gzip"', '"1;gz"', 'W/"1-gzip"', ', "99", W/"1" ,'];
    const id = await newPayment(client);
    const path = `payment-requests/${id}`;
    for (const form of forms) await client.must(304, 'GET', path, { headers: { 'if-none-match': form } });
    for (const [index, form] of forms.entries()) {
      const headers = { 'if-match': form.replace('1', String(index + 1)) };
      const changed = await client.must(200, 'PATCH', path, { body: { name: `Change ${index}` }, headers });
      strictEqual(changed.headers['etag'], `"${index + 2}"`, form);
    }
    for (const form of forms) await client.must(412, 'POST', `${path}/cancel`, { headers: { 'if-match': form } });
  },
  'a cash-out has its own version, and each of its commands also changes that of its deposit': async (client) => {
    const id = await newDeposit(client);
    const at = `security-deposits/${id}`;
    const versionOf = async (path: string) => (await client.must(200, 'GET', path)).headers['etag'];
    strictEqual(await versionOf(at), '"2"');
    const made = await client.must(201, 'POST', `${at}/cash-outs`, { body: { amount: 5 } });
    const path = `${at}/cash-outs/${made.json.id}`;
    deepStrictEqual([made.headers['etag'], await versionOf(path), await versionOf(at)], ['"1"', '"1"', '"3"']);
    const offer = (match: string, amount: number) =>
      client.send('POST', `${path}/offer`, { body: { amount }, headers: { 'if-match': match } });
    strictEqual((await offer('"3"', 6)).status, 412);
    strictEqual((await offer('"1"', 6)).headers['etag'], '"2"');
    const other = await client.must(201, 'POST', `${at}/cash-outs`, { body: { amount: 7 } });
    // The other cash-out has changed the deposit, but not this one.
    strictEqual((await offer('"2"', 8)).headers['etag'], '"3"');
    deepStrictEqual([other.headers['etag'], await versionOf(at)], ['"1"', '"6"']);
    await client.must(304, 'GET', path, { headers: { 'if-none-match': '"3"' } });
    // A command and the rule that follows it create one version of the deposit.
    ok((await client.requests.cashOuts.perform(own.id, made.json.id, 'claim', alone)).isOk());
    await client.must(200, 'POST', `${path}/deny`, { headers: { 'if-match': '"4"' } });
    deepStrictEqual([await versionOf(path), await versionOf(at)], ['"5"', '"8"']);
  },
  'a command with If-None-Match succeeds only at another version': async (client) => {
    const path = `payment-requests/${await newPayment(client)}`;
    const template = (await client.must(201, 'POST', 'payment-templates', { body: { name: 'Presets' } })).json.id;
    const before = await client.stored();
    for (const match of ['"1"', 'W/"1"', '"1-gzip"', '"7", "1"', '*']) {
      const headers = { 'if-none-match': match };
      await client.must(412, 'PATCH', path, { body: { name: 'Changed' }, headers });
      await client.must(412, 'POST', `${path}/cancel`, { headers });
      await client.must(412, 'DELETE', `payment-templates/${template}`, { headers });
    }
    await client.must(400, 'POST', `${path}/cancel`, { headers: { 'if-none-match': '1' } });
    await client.must(412, 'POST', `${path}/cancel`, { headers: { 'if-match': '"1"', 'if-none-match': '"1"' } });
    strictEqual(await client.stored(), before);
    await client.must(200, 'PATCH', path, { body: { name: 'Changed' }, headers: { 'if-none-match': '"2"' } });
    await client.must(200, 'POST', `${path}/cancel`, { headers: { 'if-match': '"2"', 'if-none-match': '"1"' } });
    await client.must(204, 'DELETE', `payment-templates/${template}`, { headers: { 'if-none-match': '"2"' } });
  },
  'If-Match with another version refuses a read': async (client) => {
    const path = `payment-requests/${await newPayment(client)}`;
    for (const method of ['GET', 'HEAD']) {
      for (const match of ['"1"', 'W/"1-gzip"', '"7", "1"', '*'])
        await client.must(200, method, path, { headers: { 'if-match': match } });
      for (const match of ['"2"', '"x"', '1'])
        await client.must(412, method, path, { headers: { 'if-match': match, 'if-none-match': '"1"' } });
    }
    await client.must(404, 'GET', 'payment-requests/x', { headers: { 'if-match': '"1"' } });
  },
  'If-None-Match with the current version returns 304, with its ETag and no body': async (client) => {
    const path = `payment-requests/${await newPayment(client)}`;
    for (const method of ['GET', 'HEAD'])
      for (const match of ['"1"', 'W/"1"', '"7", "1"', '*', ['"7"', '"1"']]) {
        const answer = await client.must(304, method, path, { headers: { 'if-none-match': match } });
        const { etag, 'content-type': type, 'content-length': length, 'cache-control': cache } = answer.headers;
        deepStrictEqual([answer.body, etag, type, length, cache], ['', '"1"', undefined, undefined, 'no-store']);
      }
    for (const match of ['"2"', '1', 'x', '', '"01"', '"1', '"11"', '"1-x"', '"1gzip"', '"2-gzip"'])
      await client.must(200, 'GET', path, { headers: { 'if-none-match': match } });
    await client.must(200, 'PATCH', path, { body: { name: 'Changed' } });
    await client.must(200, 'GET', path, { headers: { 'if-none-match': '"1"' } });
    // An object that does not exist has no version.
    await client.must(404, 'GET', 'payment-requests/x', { headers: { 'if-none-match': '*' } });
    await client.must(404, 'GET', path, { headers: { 'if-none-match': '*' }, account: 'org_child' });
  },
  'a condition is checked only if the command would succeed without it': async (client) => {
    const path = `payment-requests/${await newPayment(client)}`;
    await client.must(200, 'POST', `${path}/cancel`);
    for (const match of ['"1"', '"x"', 'nonsense']) {
      const headers = { 'if-match': match };
      strictEqual((await client.must(409, 'POST', `${path}/cancel`, { headers })).json.code, 'wrong_state');
      await client.must(409, 'PATCH', path, { headers, body: { name: 'Changed' } });
      await client.must(400, 'PATCH', path, { headers, body: {} });
      await client.must(404, 'PATCH', 'payment-requests/x', { headers, body: { name: 'Changed' } });
      await client.must(415, 'PATCH', path, { headers: { ...headers, 'content-type': 'text/plain' }, body: 'x' });
    }
  },
  'the same idempotency key and body get the same response, and create one object': async (client) => {
    const headers = { 'idempotency-key': 'order-1' };
    const send = () => client.send('POST', 'payment-requests', { body: payment, headers });
    const racing = await Promise.all(Array.from({ length: 20 }, send));
    const { body, headers: first } = await send();
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
  'the same JSON with an idempotency key is the same request, however it is written': async (client) => {
    const [one, other, wrong] = [
      '{"name":"Rent","amount":10,"currency":"EUR","recipient":{"email":"a@b.example","name":"Zo\u00e9"}}',
      ' { "recipient": { "name": "Zoé", "email": "a@b.example" }, "currency": "EUR", "amount": 10.0, "name": "Rent" }',
      '{"name":"Rent","amount":10,"currency":"EUR","recipient":{"email":"a@b.example","name":"Zoe"}}',
    ];
    for (const [path, wrap] of [
      ['payment-requests', (text: string) => text],
      ['payment-requests/batch', (text: string) => `{"items":[${text}]}`],
    ] as const) {
      const headers = { 'content-type': 'application/json', 'idempotency-key': path.replace('/', '-') };
      const first = await client.send('POST', path, { body: wrap(one), headers });
      strictEqual(first.status < 300, true, first.body);
      deepStrictEqual((await client.send('POST', path, { body: wrap(other), headers })).body, first.body);
      strictEqual((await client.send('POST', path, { body: wrap(wrong), headers })).status, 422);
    }
    strictEqual((await client.must(200, 'GET', 'payment-requests')).json.items.length, 2);
  },
  'an idempotency key is the same with and without quotes': async (client) => {
    const made = (key: string) =>
      client
        .must(201, 'POST', 'payment-requests', { body: payment, headers: { 'idempotency-key': key } })
        .then(({ json }) => json.id);
    strictEqual(await made('order-1'), await made('"order-1"'));
    strictEqual(await made('"a b\\"\\\\"'), await made('"a b\\"\\\\"'));
    notStrictEqual(await made('"order-2"'), await made('order-1'));
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
      strictEqual((await client.must(422, 'POST', path, { body, headers })).json.code, 'idempotency_conflict');
    strictEqual(await client.stored(), before);
    // A key belongs to one client and one account.
    await client.must(201, 'POST', 'payment-requests', { body: payment, headers, as: 'second' });
    await client.must(201, 'POST', 'payment-requests', { body: payment, headers, account: 'org_child' });
  },
  'a refusal stores no idempotency key': async (client) => {
    const headers = { 'idempotency-key': 'order-1' };
    await client.must(400, 'POST', 'payment-requests', { body: { ...payment, amount: 0 }, headers });
    await client.must(201, 'POST', 'payment-requests', { body: payment, headers });
  },
  'an invalid idempotency key is refused': async (client) => {
    const before = await client.stored();
    for (const key of ['', 'a b', 'é', 'x'.repeat(256), '""', '"a', '"a\\b"', '"a"b"', `"${'x'.repeat(256)}"`])
      await client.must(400, 'POST', 'payment-requests', { body: payment, headers: { 'idempotency-key': key } });
    strictEqual(await client.stored(), before);
    await client.must(201, 'POST', 'payment-requests', {
      body: payment,
      headers: { 'idempotency-key': 'x'.repeat(255) },
    });
  },
};
