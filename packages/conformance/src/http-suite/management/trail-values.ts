import { deepStrictEqual, doesNotMatch, ok } from 'node:assert';
import type { ManagementApi, ManagementCase } from './api.ts';
import { start } from './platform.ts';

/** The newest entries of the trail, without their ids. */
const newest = async ({ call }: ManagementApi, count: number): Promise<readonly object[]> => {
  const { body } = await call(`GET /audit?order=newest&limit=${count}`);
  return body.items.map(({ id: _id, ...entry }: { readonly id: string }) => entry);
};
const pausesOf = async ({ call }: ManagementApi): Promise<readonly object[]> => (await call('GET /sending')).body.items;

/** What the audit trail of an account shows, and what operators of the host pause. */
export const trailValues: readonly ManagementCase[] = [
  {
    name: 'an entry says what a person changed, with the values as the API shows them',
    run: async (api) => {
      const { call, platform } = api;
      const { keyId, endpointId } = platform.known;
      await platform.clock.pass(1_000);
      await call('PATCH /endpoints/:endpointId', {
        body: { label: '<b>stage</b>', url: 'https://partner.example/h?t=s3' },
      });
      await call('PATCH /api-keys/:keyId', { body: { expiresAt: start + 86_400 } });
      const by = { type: 'user', id: 'user_1' };
      deepStrictEqual(await newest(api, 2), [
        {
          ...{ at: start + 1, type: 'key.changed', subjectId: keyId, by, change: 'updated' },
          changes: [{ field: 'expiresAt', to: start + 86_400 }],
        },
        {
          ...{ at: start + 1, type: 'endpoint.changed', subjectId: endpointId, by, change: 'updated' },
          changes: [
            { field: 'url', from: 'https://partner.example/hooks', to: 'https://partner.example/h?…' },
            { field: 'label', from: 'prod', to: '<b>stage</b>' },
          ],
        },
      ]);
    },
  },
  {
    name: "an entry of the host shows neither the host's names nor ids of requests, nor what concerns all accounts",
    run: async (api) => {
      const { kit, known } = api.platform;
      const { endpointId = '' } = known;
      const options = { actor: { type: 'host', id: 'hidden-operator' }, requestId: 'hidden-request' } as const;
      (await kit.endpoints.update('org_main', endpointId, { label: 'x' }, options))._unsafeUnwrap();
      (await kit.sending.pause({}, options))._unsafeUnwrap();
      (await kit.sending.pause({ accountId: 'org_main' }, options))._unsafeUnwrap();
      const { body } = await api.call('GET /audit?limit=100');
      doesNotMatch(JSON.stringify(body), /hidden|requestId|mac/);
      const [changed, paused] = body.items.slice(-2);
      deepStrictEqual([changed.type, changed.by], ['endpoint.changed', { type: 'platform' }]);
      deepStrictEqual(
        [paused.type, paused.subjectId, paused.by, paused.scope],
        ['sending.paused', 'org_main', { type: 'platform' }, 'account'],
      );
    },
  },
  {
    name: 'an entry of a rule says why, and how much had failed',
    run: async (api) => {
      api.platform.answerWith({ status: 410 });
      await api.platform.deliver();
      const [{ by, type, reason, failures }] = (await newest(api, 1)) as [Readonly<Record<string, unknown>>];
      deepStrictEqual([type, by, reason, failures], ['endpoint.disabled', { type: 'rule' }, 'gone', 1]);
    },
  },
  {
    name: 'pages of the trail are followed to its first entry',
    isReadOnly: true,
    run: async ({ call }) => {
      const whole = (await call('GET /audit?limit=100')).body.items.map(({ id }: { readonly id: string }) => id);
      ok(whole.length >= 5);
      const found: string[] = [];
      for (let after = ''; ; ) {
        const { body } = await call(`GET /audit?order=newest&limit=2${after}`);
        found.push(...body.items.map(({ id }: { readonly id: string }) => id));
        if (body.next === undefined) break;
        after = `&after=${encodeURIComponent(body.next)}`;
      }
      deepStrictEqual(found, whole.toReversed());
    },
  },
  {
    name: 'the address for alerts is set and removed; its entries name the person, and not the address',
    run: async ({ call, platform }) => {
      const { audit } = platform.kit;
      const address = 'hidden.desk@partner.example';
      await call('PUT /alerts', { body: { address } });
      deepStrictEqual((await call('GET /alerts')).body, { address });
      await call('PUT /alerts', { body: { address } });
      await call('PUT /alerts', { body: { address: '' } });
      deepStrictEqual((await call('GET /alerts')).body, {});
      const read = await audit.list('org_main', { page: { newestFirst: true, limit: 3 } });
      const entries = read._unsafeUnwrap().items.filter(({ type }) => type === 'account.changed');
      doesNotMatch(JSON.stringify(entries), /hidden/);
      deepStrictEqual(
        entries.map(({ subjectId, by, data }) => [subjectId, by, data]),
        ['alert_address_removed', 'alert_address_set'].map((change) => [
          ...['org_main', { type: 'user', id: 'user_1' }, { change }],
        ]),
      );
      const { body } = await call('GET /audit?order=newest&limit=1');
      deepStrictEqual([body.items[0].type, body.items[0].change], ['account.changed', 'alert_address_removed']);
    },
  },
  {
    name: 'what is no address for alerts is refused',
    isReadOnly: true,
    run: async ({ refuses }) => {
      for (const address of ['desk', 'a@b', 'a b@c.example', 'a@b.example\r\nBcc: c@d.example', 'é@b.example', null, 1])
        await refuses({ method: 'PUT', path: '/alerts', body: { address } }, 400, 'invalid_input');
      const long = `${'b'.repeat(58)}@${`${'a'.repeat(62)}.`.repeat(3)}example`;
      const refused = await refuses({ method: 'PUT', path: '/alerts', body: { address: long } }, 400, 'invalid_input');
      deepStrictEqual(refused.body.errors, [{ pointer: '/address', detail: 'at most 254 characters.' }]);
      await refuses({ method: 'PUT', path: '/alerts', body: {} }, 400, 'invalid_input');
    },
  },
  {
    name: 'an operator pauses and resumes a webhook and its account, and the trail says that the platform did',
    run: async (api) => {
      const { call, platform } = api;
      const { endpointId } = platform.known;
      const body = { endpointId };
      const by = 'user_1';
      await call('POST /sending/pause', { body });
      await platform.clock.pass(1_000);
      await call('POST /sending/pause', { body: {} });
      const [ofAccount, ofEndpoint] = [
        { scope: 'account', since: start + 1, by },
        { scope: 'endpoint', endpointId, since: start, by },
      ];
      deepStrictEqual(await pausesOf(api), [ofAccount, ofEndpoint]);
      await call('POST /sending/resume', { body });
      deepStrictEqual(await pausesOf(api), [ofAccount]);
      await call('POST /sending/resume');
      deepStrictEqual(await pausesOf(api), []);
      const entries = (
        await platform.kit.audit.list('org_main', { page: { newestFirst: true, limit: 4 } })
      )._unsafeUnwrap();
      deepStrictEqual(
        entries.items.map(({ type, by: actor }) => [type, actor]),
        ['resumed', 'resumed', 'paused', 'paused'].map((each) => [`sending.${each}`, { type: 'host', id: by }]),
      );
    },
  },
  {
    name: 'a pause of everything is listed, and cannot be ended; those of other accounts are not listed',
    run: async (api) => {
      const { kit } = api.platform;
      (await kit.sending.pause({}))._unsafeUnwrap();
      (await kit.sending.pause({ accountId: 'org_stranger' }))._unsafeUnwrap();
      await api.call('POST /sending/resume');
      deepStrictEqual(await pausesOf(api), [{ scope: 'platform', since: start }]);
    },
  },
  {
    name: 'a webhook that is not there, that of another account, and a pull endpoint are not paused',
    run: async ({ call, refuses, platform }) => {
      const pause = (endpointId: string | undefined, accountId = 'org_main') =>
        ({ method: 'POST', path: '/sending/pause', body: { endpointId }, accountId }) as const;
      const { body } = await call('POST /endpoints', { body: { kind: 'pull', events: ['payed'] } });
      await refuses(pause(platform.known['endpointId'], 'org_stranger'), 404, 'not_found');
      await refuses(pause('01910b3e-4f6a-7c1d-9e2f-3a4b5c6d7e8f'), 404, 'not_found');
      await refuses(pause(body.endpoint.id), 409, 'wrong_kind');
      await refuses(pause('no id'), 400, 'invalid_input');
    },
  },
];
