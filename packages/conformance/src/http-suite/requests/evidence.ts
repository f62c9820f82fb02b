import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { RequestsCases } from './case.ts';
import { alone, inTest, newDeposit, own } from './made.ts';

const photo = { id: 'uploads/7.jpg', kind: 'photo', name: 'Window', contentType: 'image/jpeg', size: 12_345 };
const bill = { id: 'f2', kind: 'invoice', sha256: 'a'.repeat(64) };
const file = (id: string) => ({ id, kind: 'photo' });

/** Evidence on cash-outs. */
export const evidenceCases: RequestsCases = {
  'evidence of both sides is in the cash-out, in its history and in its events': async (client) => {
    const { must, requests, clock } = client;
    const depositId = await newDeposit(client);
    const path = `security-deposits/${depositId}/cash-outs`;
    const now = () => Math.floor(clock.now() / 1_000);
    const made = (await must(201, 'POST', path, { body: { amount: 50, evidence: [photo, bill] } })).json;
    const [command, createdAt] = ['create', now()];
    deepStrictEqual(made.evidence, [
      { ...photo, command, createdAt },
      { ...bill, command, createdAt },
    ]);
    const at = `${path}/${made.id}`;
    const give = (name: 'claim', input: object) =>
      requests.cashOuts.perform(own.id, made.id, name, { input, ...alone }).then((given) => ok(given.isOk()));
    await clock.pass(60_000);
    await give('claim', { claim: 'It was broken before.', evidence: [file('before')] });
    await must(200, 'POST', `${at}/deny`, { body: { reason: { code: 'no' }, evidence: [] } });
    await must(200, 'POST', `${at}/offer`, { body: { amount: 40, evidence: [file('new')] } });
    await give('claim', {});
    await must(200, 'POST', `${at}/deny`, { body: { evidence: [file('last')] } });
    const { evidence } = (await must(200, 'GET', at)).json;
    deepStrictEqual(
      evidence.map(({ id, command }: { id: string; command: string }) => `${command} ${id}`),
      ['create uploads/7.jpg', 'create f2', 'claim before', 'offer new', 'deny last'],
    );
    strictEqual(evidence[2].createdAt, createdAt + 60);
    const { items } = (await must(200, 'GET', `${at}/events`)).json;
    deepStrictEqual(
      items.map((entry: { command: string; evidence?: object[] }) => [entry.command, entry.evidence]),
      [
        ['create', [photo, bill]],
        ['claim', [file('before')]],
        ['deny', undefined],
        ['offer', [file('new')]],
        ['claim', undefined],
        ['deny', [file('last')]],
      ],
    );
    // The history of the deposit names the cash-out, which has the evidence.
    const ofDeposit = (await must(200, 'GET', `security-deposits/${depositId}/events`)).body;
    ok(!ofDeposit.includes('evidence'));
    const sent = (await client.sentOf('org_main')).filter(({ data }) => data.cashOut?.id === made.id);
    deepStrictEqual(
      sent.map(({ data }) => data.cashOut.evidence.length),
      [2, 3, 3, 4, 4, 5],
    );
  },
  'a cash-out keeps the latest 20 references of each side, and its history keeps all': async (client) => {
    const { must, requests } = client;
    const path = `security-deposits/${await newDeposit(client)}/cash-outs`;
    const list = (name: string, count: number) => Array.from({ length: count }, (_, index) => file(`${name}${index}`));
    const body = { amount: 50, evidence: list('a', 20) };
    const { id } = (await must(201, 'POST', path, { body })).json;
    const claimed = await requests.cashOuts.perform(own.id, id, 'claim', {
      input: { evidence: list('b', 20) },
      ...alone,
    });
    deepStrictEqual(claimed._unsafeUnwrap().evidence?.length, 40);
    const offered = (await must(200, 'POST', `${path}/${id}/offer`, { body: { amount: 4, evidence: list('c', 3) } }))
      .json;
    const ids = offered.evidence.map((each: { id: string }) => each.id);
    const named = (name: string, from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `${name}${from + index}`);
    deepStrictEqual(ids, [...named('a', 3, 20), ...named('b', 0, 20), ...named('c', 0, 3)]);
    const { items } = (await must(200, 'GET', `${path}/${id}/events`)).json;
    deepStrictEqual(
      items.map((entry: { evidence: object[] }) => entry.evidence.length),
      [20, 20, 3],
    );
  },
  'without a function of the host, there is no path for uploads': async ({ must }) => {
    await must(404, 'POST', 'evidence', { body: { kind: 'photo', contentType: 'image/jpeg', size: 5 } });
  },
};

/** Cases of a platform to which partners upload evidence. */
export const uploadCases: RequestsCases = {
  'a partner gets the signed address that the host makes, and nothing is stored': async (client) => {
    const { must, send, stored } = client;
    const before = await stored();
    const body = { kind: 'photo', name: 'Window', contentType: 'image/jpeg', size: 1_000 };
    const answer = await must(200, 'POST', 'evidence', { ...inTest, body });
    deepStrictEqual(answer.json, {
      id: 'org_test/1',
      url: 'https://files.example/org_test/1?type=image%2Fjpeg&signature=x',
      method: 'PUT',
      headers: { 'content-type': 'image/jpeg' },
      expiresAt: 1_798_761_600,
    });
    strictEqual(answer.headers['cache-control'], 'no-store');
    const refused = await must(413, 'POST', 'evidence', { ...inTest, body: { ...body, size: 1_001 } });
    deepStrictEqual([refused.json.code, refused.json.detail], ['file_too_large', 'At most 1,000 bytes.']);
    strictEqual((await send('POST', 'evidence', { body, account: 'org_stranger' })).status, 404);
    strictEqual(await stored(), before);
  },
};
