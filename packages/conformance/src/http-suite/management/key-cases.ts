import { deepStrictEqual, strictEqual } from 'node:assert';
import type { KeyRequest, ManagementApi, ManagementCase } from './api.ts';
import { checkSuccess, prepare, requestOf } from './rows.ts';
import { type RowByKey, rowsByKey } from './table.ts';

const isWrite = ({ row }: RowByKey): boolean => row.method !== 'GET';
/** The request of a row, with the ids that it names in the management API. */
const requestByKey = ({ row, path }: RowByKey): KeyRequest => {
  const { method, body, path: inManagement } = requestOf(row);
  const isDisabled = inManagement.includes(':disabledEndpointId');
  return {
    method,
    path: isDisabled ? path.replace(':endpointId', ':disabledEndpointId') : path,
    ...(body === undefined ? {} : { body }),
  };
};
const locationOf = ({ path }: RowByKey, account: string): string => `/api/v1/partner/organisations/${account}${path}`;

/** Reads that have an answer for ids that the account does not have. */
const isEmpty = ({ row }: RowByKey): boolean => row.path.endsWith('/attempts');

/** Sends the example of an operation by key, which succeeds. */
export const sendExampleByKey = async (each: RowByKey, api: ManagementApi): Promise<void> => {
  await prepare(each.row, api);
  const example = api.examples.get(each.row.name);
  const request = { ...requestByKey(each), ...(example === undefined ? {} : { body: example }) };
  checkSuccess(each.row, await api.sendByKey(request), locationOf(each, 'org_main'));
};

const casesOf = (each: RowByKey): readonly ManagementCase[] => {
  const { name, row } = each;
  const request = requestByKey(each);
  return [
    {
      name: `${name} by key is that of the management API, and the client is who makes the change`,
      run: async (api) => {
        const { platform } = api;
        await prepare(row, api);
        await api.tokenOfKey();
        const [changes, stored] = [platform.changes.length, await platform.stored()];
        checkSuccess(row, await api.sendByKey(request), locationOf(each, 'org_main'));
        const storesNothing = !isWrite(each) || row.path === '/endpoints/check';
        deepStrictEqual(
          platform.changes.slice(changes).map((change) => change.split(' by ')[1]),
          storesNothing ? [] : [platform.known['keyId']],
          'who made the change',
        );
        strictEqual((await platform.stored()) === stored, storesNothing, 'whether nothing is stored');
      },
    },
    {
      name: `${name} by key serves a child account with what the child has, and with nothing else`,
      run: async (api) => {
        const { known } = api.platform;
        const knownOfChild = await api.platform.addToChild();
        await api.tokenOfKey();
        const ofChild = { ...request, account: 'org_child', known: knownOfChild };
        checkSuccess(row, await api.sendByKey(ofChild), locationOf(each, 'org_child'));
        if (!row.path.includes(':')) return;
        const code = row.path.includes('/explanations/') ? 'no_such_event' : 'not_found';
        for (const mixed of [
          { ...request, account: 'org_child', known },
          { ...request, account: 'org_main', known: knownOfChild },
        ])
          if (isEmpty(each)) deepStrictEqual((await api.sendByKey(mixed)).body, { items: [] });
          else await api.refusesByKey(mixed, 404, code);
      },
    },
    {
      name: `${name} by key refuses foreign accounts, and requests without a valid token`,
      isReadOnly: true,
      run: async (api) => {
        await api.tokenOfKey();
        const read = api.bodiesRead();
        await api.refusesByKey({ ...request, account: 'org_stranger' }, 404, 'not_found');
        await api.refusesByKey({ ...request, account: 'org_unknown' }, 404, 'not_found');
        await api.refusesByKey({ ...request, token: 'x' }, 401, 'invalid_token');
        strictEqual(api.bodiesRead(), read, 'a body was read');
      },
    },
  ];
};

/** What ends the access of a key, as everywhere. */
const endings: readonly ManagementCase[] = [
  {
    name: 'a disabled client, and a revoked token, manage no webhooks',
    run: async (api) => {
      const { kit, known, clock, secret } = api.platform;
      const { keyId = '' } = known;
      const list = { method: 'GET', path: '/webhooks' };
      strictEqual((await api.sendByKey(list)).status, 200);
      await clock.pass(2_000);
      (await kit.clients.revokeTokens('org_main', keyId))._unsafeUnwrap();
      await clock.pass(2_000);
      await api.refusesByKey(list, 401, 'invalid_token');
      const { token } = await api.logIn(secret);
      strictEqual((await api.sendByKey({ ...list, token })).status, 200);
      (await kit.clients.disable('org_main', keyId))._unsafeUnwrap();
      await clock.pass(2_000);
      await api.refusesByKey({ ...list, token }, 401, 'invalid_token');
    },
  },
  {
    name: 'a change by key is for the version that If-Match names',
    run: async (api) => {
      const path = '/webhooks/:endpointId';
      const { headers } = await api.sendByKey({ method: 'GET', path });
      const change = {
        method: 'PATCH',
        path,
        body: { label: 'by key' },
        headers: { 'if-match': headers['etag'] ?? '' },
      };
      strictEqual((await api.sendByKey(change)).status, 200);
      await api.refusesByKey(change, 412, 'version_mismatch');
    },
  },
  {
    name: 'a key that creates a webhook endpoint twice with one Idempotency-Key makes one, and sees its secret once',
    run: async (api) => {
      const body = { url: 'https://partner.example/other', events: ['payed'] };
      const request = { method: 'POST', path: '/webhooks', body, headers: { 'idempotency-key': 'one' } };
      const { secret, ...shown } = (await api.sendByKey(request)).body;
      strictEqual(typeof secret, 'string');
      deepStrictEqual((await api.sendByKey(request)).body, shown);
      strictEqual((await api.sendByKey({ method: 'GET', path: '/webhooks' })).body.items.length, 3);
      const other = { ...request, body: { ...body, label: 'other' } };
      await api.refusesByKey(other, 422, 'idempotency_conflict');
    },
  },
];

/** Each operation on webhooks by key: for the own account, a child, and others. */
export const keyCases: readonly ManagementCase[] = [...rowsByKey.flatMap(casesOf), ...endings];
