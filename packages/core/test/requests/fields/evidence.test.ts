import { expect, test } from 'vitest';
import { requestObjects } from '../../../src/requests/extensions/objects.ts';
import type { Evidence } from '../../../src/requests/fields/evidence.ts';
import { CommandRejection } from '../../../src/requests/record/command-rejection.ts';
import { createRequests } from '../../../src/requests/requests.ts';
import { memoryAccounts } from '../../../src/stores/memory/accounts.ts';
import { call, loginToken } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';
import { alone, done, recipient } from '../world.ts';

const account = { id: '0d1f7c9e-6a57-4b1e-9d4e-2f1f0a7c5b3d', name: 'A', status: 'active', environment: 'prod' };
const file = (id: string) => ({ id, kind: 'photo' });

/** A platform as the guide writes it: it names files by account, and refuses those of others. */
const world = async () => {
  const seen: (readonly Evidence[] | undefined)[] = [];
  const { kit } = platform({ accounts: memoryAccounts([account]), objects: requestObjects as never });
  const requests = createRequests({
    kit: kit as never,
    onCommand: ({ after, evidence }) => {
      seen.push(evidence);
      if (!(evidence ?? []).every(({ id }) => id.startsWith(`${after.accountId}/`)))
        throw new CommandRejection({ code: 'unknown_evidence', detail: 'Name files that you uploaded.', status: 422 });
    },
    evidenceUpload: async ({ account: { id } }) => ({
      id: `${id}/${account.id}`,
      ...{ url: 'https://files.example/x', expiresAt: 2_000_000_000_000 },
    }),
  });
  const key = (await kit.clients.create(account.id, { name: 'Key' }))._unsafeUnwrap();
  const token = await loginToken(kit, key);
  const routes = [...kit.routes, ...requests.routes];
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const ask = async (path: string, body: object) => {
    const target = `/api/v1/partner/organisations/${account.id}/${path}`;
    const { status, body: text } = await call({ routes }, 'POST', target, { headers, body: JSON.stringify(body) });
    return { status, json: JSON.parse(text) };
  };
  const deposit = await done(
    requests.deposits.create(account.id, { name: 'Car', depositAmount: 300, currency: 'EUR', recipient }, alone),
  );
  await done(requests.deposits.perform(account.id, deposit.id, 'succeedDeposit', alone));
  return { seen, ask, path: `security-deposits/${deposit.id}/cash-outs` };
};

test('the id of an upload has room for the ids of account and file', async () => {
  const { ask } = await world();
  const asked = { kind: 'photo', contentType: 'image/jpeg', size: 5 };
  expect((await ask('evidence', asked)).json.id).toBe(`${account.id}/${account.id}`);
});

test('onCommand receives the files of a command, and refuses those of other accounts', async () => {
  const { ask, path, seen } = await world();
  const own = file(`${account.id}/7`);
  expect((await ask(path, { amount: 5, evidence: [own] })).status).toBe(201);
  expect(seen.at(-1)).toEqual([own]);
  const foreign = await ask(path, { amount: 5, evidence: [own, file('acc_b/7')] });
  expect([foreign.status, foreign.json.code]).toEqual([422, 'unknown_evidence']);
  expect((await ask(path, { amount: 5 })).status).toBe(201);
  expect(seen.at(-1)).toBeUndefined();
});
