import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { RequestsCases } from './case.ts';
import { payment, type RequestsClient } from './client.ts';
import { alone, newDeposit, newPayment, own } from './made.ts';

interface Item {
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The ids of a list, read page by page: each page links to the next one (RFC 8288), which its `next` names. */
const idsOf = async ({ must }: RequestsClient, path: string, request: object = {}): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (let target = path; ; ) {
    const { json: page, headers } = await must(200, 'GET', target, request);
    ids.push(...page.items.map(({ id }: Item) => id));
    const [, query] = /^<(\?[^>]*)>; rel="next"$/.exec(headers['link'] ?? '') ?? [];
    strictEqual(new URLSearchParams(query).get('after') ?? undefined, page.next);
    if (query === undefined) return ids;
    target = `${path.replace(/\?.*/, '')}${query}`;
  }
};

export const listCases: RequestsCases = {
  'a list is paginated and filtered, each record once': async (client) => {
    const { must } = client;
    const ids: string[] = [];
    for (let count = 0; count < 7; count++) ids.push(await newPayment(client));
    await must(201, 'POST', 'payment-requests', { body: payment, as: 'stranger', account: 'org_stranger' });
    await must(201, 'POST', 'payment-requests', { body: payment, account: 'org_child' });
    await must(200, 'POST', `payment-requests/${ids[2]}/cancel`);
    deepStrictEqual(await idsOf(client, 'payment-requests?limit=3'), ids);
    const listed = async (query: string): Promise<number> =>
      (await must(200, 'GET', `payment-requests?${query}`)).json.items.length;
    strictEqual(await listed('status=cancelled'), 1);
    strictEqual(await listed('status=pending'), 6);
    strictEqual(await listed('createdFrom=0'), 7);
    strictEqual(await listed('createdTo=1000000000'), 0);
    strictEqual(await listed('createdFrom=9999999999'), 0);
    strictEqual(await listed('templateId=none'), 0);
  },
  'a list is ordered by creation, oldest or newest first': async (client) => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) {
      ids.push(await newPayment(client));
      await client.clock.pass(1_000);
    }
    const newest = [...ids].reverse();
    deepStrictEqual(await idsOf(client, 'payment-requests?limit=2'), ids);
    deepStrictEqual(await idsOf(client, 'payment-requests?limit=2&order=oldest'), ids);
    deepStrictEqual(await idsOf(client, 'payment-requests?limit=2&order=newest'), newest);
    const { next } = (await client.must(200, 'GET', 'payment-requests?limit=2&order=newest')).json;
    const turned = await client.must(400, 'GET', `payment-requests?after=${encodeURIComponent(next)}`);
    strictEqual(turned.json.code, 'invalid_cursor');
    deepStrictEqual(turned.json.errors, [{ parameter: 'after', detail: 'no next of this list.' }]);
  },
  'a list filtered by the time of the last change is in the order of changes': async (client) => {
    const { must, clock } = client;
    const [first, second, third] = [await newPayment(client), await newPayment(client), await newPayment(client)];
    await clock.pass(5_000);
    await must(200, 'PATCH', `payment-requests/${second}`, { body: { name: 'Longer' } });
    await clock.pass(5_000);
    await must(200, 'PATCH', `payment-requests/${first}`, { body: { name: 'Longer' } });
    const changedAt = async (id: string | undefined): Promise<number> =>
      (await must(200, 'GET', `payment-requests/${id}`)).json.updatedAt;
    const [at, since] = [await changedAt(first), await changedAt(second)];
    const list = (query: string) => idsOf(client, `payment-requests?limit=1&${query}`);
    deepStrictEqual(await list('updatedFrom=0'), [third, second, first]);
    deepStrictEqual(await list('updatedFrom=0&order=newest'), [first, second, third]);
    deepStrictEqual(await list(`updatedFrom=${since}`), [second, first]);
    deepStrictEqual(await list(`updatedTo=${at}`), [third, second]);
    deepStrictEqual(await list(`updatedFrom=${since}&updatedTo=${at}`), [second]);
    deepStrictEqual(await list(`updatedFrom=${at + 1}`), []);
  },
  'each filter selects the matching records, and several select those that match all': async (client) => {
    const { must, clock, requests } = client;
    const template = (await must(201, 'POST', 'payment-templates', { body: { name: 'Weekend', reference: 'T' } })).json;
    const a = await newPayment(client, { reference: 'A/1', recipient: { email: 'Ann@example.com' } });
    const b = await newPayment(client, { reference: 'B', templateId: template.id });
    await clock.pass(10_000);
    const c = await newPayment(client, { reference: 'B', recipient: { email: 'ann@example.com', name: 'Ann' } });
    await must(200, 'POST', `payment-requests/${b}/cancel`);
    ok((await requests.payments.perform(own.id, c, 'succeed', alone)).isOk());
    const later = (await must(200, 'GET', `payment-requests/${c}`)).json.createdAt;
    for (const [query, ids] of [
      ['status=pending', [a]],
      ['status=cancelled,payed', [b, c]],
      ['status=payed,cancelled,payed', [b, c]],
      ['status=refunded', []],
      ['reference=B', [b, c]],
      ['reference=A%2F1', [a]],
      ['reference=b', []],
      ['recipientEmail=ann%40example.com', [a, c]],
      ['recipientEmail=ANN@EXAMPLE.COM', [a, c]],
      ['recipientEmail=bob@example.com', []],
      [`templateId=${template.id}`, [b]],
      ['templateId=none', []],
      [`createdFrom=${later}`, [c]],
      [`createdTo=${later}`, [a, b]],
      [`createdFrom=${later}&createdTo=${later}`, []],
      ['reference=B&recipientEmail=ann@example.com', [c]],
      ['reference=B&recipientEmail=ann@example.com&status=pending', []],
      [`reference=B&updatedFrom=${later}`, [b, c]],
      [`reference=B&updatedFrom=${later}&createdTo=${later}`, [b]],
    ] as const)
      deepStrictEqual(await idsOf(client, `payment-requests?${query}`), ids, query);
    deepStrictEqual(await idsOf(client, 'payment-templates?reference=T&status=active'), [template.id]);
    deepStrictEqual(await idsOf(client, 'payment-templates?reference=A/1'), []);
  },
  'an address with a + is found by %2B, and an unencoded + is refused': async (client) => {
    const id = await newPayment(client, { recipient: { email: 'ann+stay@example.com' } });
    deepStrictEqual(await idsOf(client, 'payment-requests?recipientEmail=ann%2Bstay%40example.com'), [id]);
    const { json } = await client.must(400, 'GET', 'payment-requests?recipientEmail=ann+stay@example.com');
    deepStrictEqual(json.errors, [{ parameter: 'recipientEmail', detail: 'an e-mail address; write + as %2B.' }]);
  },
  'the cash-outs of all deposits of an account are one list, and can be read one by one': async (client) => {
    const { must } = client;
    const made: string[] = [];
    const deposits = [await newDeposit(client), await newDeposit(client, { recipient: { email: 'ann@example.com' } })];
    for (const depositId of deposits)
      for (const reference of ['X', 'Y']) {
        const body = { amount: 5, reference };
        made.push((await must(201, 'POST', `security-deposits/${depositId}/cash-outs`, { body })).json.id);
        await client.clock.pass(1_000);
      }
    const [first, second, third, fourth] = made;
    await must(200, 'POST', `security-deposits/${deposits[0]}/cash-outs/${first}/cancel`);
    for (const [query, ids] of [
      ['limit=3', made],
      ['limit=3&order=newest', [...made].reverse()],
      [`depositId=${deposits[1]}`, [third, fourth]],
      ['recipientEmail=ann@example.com', [third, fourth]],
      ['reference=X', [first, third]],
      ['reference=X&status=requested', [third]],
      ['updatedFrom=0&limit=2', [second, third, fourth, first]],
    ] as const)
      deepStrictEqual(await idsOf(client, `cash-outs?${query}`), ids, query);
    const nested = await must(200, 'GET', `security-deposits/${deposits[0]}/cash-outs/${first}`);
    const alike = await must(200, 'GET', `cash-outs/${first}`);
    deepStrictEqual([alike.body, alike.headers['etag']], [nested.body, nested.headers['etag']]);
    await must(404, 'GET', `cash-outs/${first}`, { as: 'stranger', account: 'org_stranger' });
    await must(404, 'GET', `security-deposits/${deposits[1]}/cash-outs/${first}`);
    await must(404, 'GET', 'security-deposits/none/cash-outs');
    for (const [method, path, body] of [
      ['GET', '/events'],
      ['PATCH', '', { description: 'Window' }],
      ['POST', '/offer', { amount: 1 }],
      ['POST', '/cancel'],
    ] as const)
      await must(404, method, `security-deposits/${deposits[1]}/cash-outs/${second}${path}`, { body });
    deepStrictEqual(await idsOf(client, 'cash-outs?', { as: 'stranger', account: 'org_stranger' }), []);
    await must(405, 'POST', 'cash-outs', { body: { depositId: deposits[0], amount: 1 } });
    await must(404, 'POST', `cash-outs/${second}/cancel`);
  },
  'a list accepts only the filters of its objects': async ({ must }) => {
    const refused = async (path: string, ...names: readonly string[]) => {
      const { json } = await must(400, 'GET', path);
      deepStrictEqual(
        [json.code, json.errors.map(({ parameter }: { parameter: string }) => parameter)],
        ['invalid_query', names],
      );
    };
    await refused('payment-requests?depositId=x', 'depositId');
    await refused('security-deposits?depositId=x', 'depositId');
    await refused('payment-templates?recipientEmail=a@example.com&templateId=x', 'recipientEmail', 'templateId');
    await refused('security-deposit-templates?depositId=x', 'depositId');
    await refused('cash-outs?templateId=x', 'templateId');
    await refused('cash-outs?status=payed', 'status');
    await refused('security-deposits/none/cash-outs?depositId=x', 'depositId');
    await refused('security-deposits/none/cash-outs?recipientEmail=a@example.com', 'recipientEmail');
  },
  'a cursor of another account, of another list or made up is refused': async (client) => {
    const { must } = client;
    for (let count = 0; count < 3; count++) {
      await newPayment(client);
      await must(201, 'POST', 'payment-requests', { body: payment, account: 'org_child' });
    }
    const { next } = (await must(200, 'GET', 'payment-requests?limit=1')).json;
    const after = encodeURIComponent(next);
    for (const path of [
      `payment-requests?after=${after}&status=pending`,
      `security-deposits?after=${after}`,
      'payment-requests?after=',
      'payment-requests?after=1',
      `payment-requests?after=${after}0`,
      `payment-requests?after=${encodeURIComponent(next.replace(/.$/, (last: string) => (last === '7' ? '8' : '7')))}`,
    ])
      strictEqual((await must(400, 'GET', path)).json.code, 'invalid_cursor', path);
    const foreign = await must(400, 'GET', `payment-requests?after=${after}`, { account: 'org_child' });
    strictEqual(foreign.json.code, 'invalid_cursor');
  },
};
