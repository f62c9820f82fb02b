import { afterAll, describe, expect, it } from 'vitest';
import { call, loginToken, me } from '../support/http.ts';
import { accounts, sealingKeys } from '../support/kit.ts';
import { type Build, openBuilds } from './builds.ts';

const builds = await openBuilds();
afterAll(builds.close);

/** What the host imports, and what it hands to a kit that another module made. */
const pairs: readonly [string, Build, Build][] = [
  ['ESM in a kit of CommonJS', builds.esm, builds.cjs],
  ['CommonJS in a kit of ESM', builds.cjs, builds.esm],
];

describe.each(pairs)('what the host makes with %s', (_name, host, other) => {
  const payment = { name: 'Stay', amount: 10, currency: 'EUR', recipient: { email: 'guest@example.com' } };
  const alone = { tx: 'new' } as const;
  const options = (storage = host.memory.memoryStorage()) => ({
    accounts: host.memory.memoryAccounts(accounts),
    tokens: host.memory.memoryAccessTokens(),
    sender: host.memory.memorySender(),
    advanced: { sealingKeys },
    storage,
  });
  const booking = () =>
    host.core.defineObject('RequestPayment', {
      schema: host.z.object({ id: host.z.string(), when: host.z.unknown() }),
      groups: { all: ['when'] },
      events: { default: ['all'] },
    });
  const platform = (more: object = {}) => {
    const kit = other.core.createPartnerkit({ ...options(), objects: other.requests.requestObjects });
    return { kit, requests: other.requests.createRequests({ kit, ...more }) };
  };

  it('a rejection of a command is a refusal', async () => {
    const { CommandRejection } = host.requests;
    class LimitReached extends CommandRejection {}
    for (const Rejection of [CommandRejection, LimitReached]) {
      const { kit, requests } = platform({
        onCommand: async () => {
          throw new Rejection({ code: 'limit_reached', detail: 'Try tomorrow.', status: 422 });
        },
      });
      const refused = await requests.payments.create('acc_a', payment, alone);
      expect(refused._unsafeUnwrapErr()).toMatchObject({ code: 'rejected', message: 'limit_reached: Try tomorrow.' });
      const token = await loginToken(kit, (await kit.clients.create('acc_a', { name: 'x' }))._unsafeUnwrap());
      const answer = await call(requests, 'POST', '/api/v1/partner/organisations/acc_a/payment-requests', {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(payment),
      });
      expect([answer.status, JSON.parse(answer.body).code]).toEqual([422, 'limit_reached']);
    }
  });

  it('a rejection of an upload of evidence is a refusal', async () => {
    const rejection = new host.requests.CommandRejection({ code: 'file_too_large', detail: 'No.', status: 413 });
    const evidenceUpload = async (): Promise<never> => {
      throw rejection;
    };
    const { kit, requests } = platform({ evidenceUpload });
    const token = await loginToken(kit, (await kit.clients.create('acc_a', { name: 'x' }))._unsafeUnwrap());
    const answer = await call(requests, 'POST', '/api/v1/partner/organisations/acc_a/evidence', {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'photo', contentType: 'image/jpeg', size: 10 }),
    });
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([413, 'file_too_large']);
  });

  it('an ended transaction is no transaction', async () => {
    const storage = host.memory.memoryStorage();
    const kit = other.core.createPartnerkit({ ...options(storage), objects: [booking()] });
    const tx = await storage.transaction(async (open) => open);
    const event = {
      accountId: 'acc_a',
      objectName: 'RequestPayment',
      type: 'payed',
      data: { id: 'p', when: 1 },
    } as never;
    const tried = await kit.events.tryPublish(event, { tx });
    expect(tried._unsafeUnwrapErr().code).toBe('no_transaction');
    await expect(kit.events.publish(event, { tx })).rejects.toMatchObject({ code: 'no_transaction' });
  });

  it('objects of its own zod are projected, and refuse what has no form in JSON', async () => {
    const kit = other.core.createPartnerkit({ ...options(), objects: [booking()] });
    const publish = (when: unknown) =>
      kit.events.tryPublish(
        { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id: 'p', when } } as never,
        alone,
      );
    expect((await publish(1)).isOk()).toBe(true);
    expect((await publish(new Date(0)))._unsafeUnwrapErr()).toMatchObject({ code: 'invalid_event' });
  });

  it('fields of its own zod are merged by a change', async () => {
    const { z } = host;
    const stay = z.object({ room: z.string(), notes: z.record(z.string(), z.string()).optional() });
    const extend = { payments: z.object({ booking: stay.optional() }) } as never;
    const kit = other.core.createPartnerkit({ ...options(), objects: other.requests.extendRequestObjects(extend) });
    const requests = other.requests.createRequests({ kit, extend } as never);
    const input = { ...payment, booking: { room: '12', notes: { a: '1', b: '2' } } } as never;
    const { id } = (await requests.payments.create('acc_a', input, alone))._unsafeUnwrap();
    const change = { input: { booking: { notes: { a: null } } }, ...alone } as never;
    const changed = (await requests.payments.perform('acc_a', id, 'change', change))._unsafeUnwrap();
    expect(changed).toMatchObject({ booking: { room: '12', notes: { b: '2' } } });
  });

  it('routes of the kit are mounted, and ports called', async () => {
    const { kit } = platform();
    const routes = host.adapter.mountRoutes(kit.routes);
    const created = (await kit.clients.create('acc_a', { name: 'x' }))._unsafeUnwrap();
    const token = await loginToken({ routes }, created);
    expect((await me({ routes }, token)).status).toBe(200);
  });
});
