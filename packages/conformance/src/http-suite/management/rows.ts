import { deepStrictEqual, notStrictEqual, strictEqual } from 'node:assert';
import {
  everyRight,
  type ManagementAnswer,
  type ManagementApi,
  type ManagementCase,
  type ManagementRequest,
} from './api.ts';
import { brokenSessions } from './platform.ts';
import { bodies, type ManagementRow, type Right, rows } from './table.ts';

/** What to enable is disabled before. */
export const requestOf = ({ name, method, path }: ManagementRow): ManagementRequest => ({
  method,
  path: path.endsWith('/enable') ? path.replace(/:(key|endpoint)Id/, (_whole, kind) => `:${disabled[kind]}`) : path,
  ...(method === 'GET' ? {} : { body: bodies[name] ?? {} }),
});
const disabled: Readonly<Record<string, string>> = { key: 'disabledKeyId', endpoint: 'disabledEndpointId' };

/** What to resume is paused before, and what to recover is exhausted. */
export const prepare = async ({ path }: ManagementRow, { platform }: ManagementApi): Promise<void> => {
  if (path.endsWith('/recover')) await platform.exhaust();
  if (path === '/sending/resume') (await platform.kit.sending.pause({ accountId: 'org_main' }))._unsafeUnwrap();
  if (!path.endsWith('Id/resume')) return;
  platform.answerWith({ status: 429, retryAfter: '3600' });
  await platform.deliver();
};

/** Every right but the one that the row needs. */
const otherRights = ({ part, access }: Right): readonly Right[] =>
  everyRight.flatMap((right): readonly Right[] => {
    if (right.part !== part) return [right];
    return access === 'write' ? [{ part, access: 'read' }] : [];
  });

/** Asserts the answer of a row; `location`: where it makes new objects. */
export const checkSuccess = (
  row: ManagementRow,
  { status, headers, body }: ManagementAnswer,
  location = `/api/v1/partner-management${row.path}`,
): void => {
  strictEqual(status, row.status, JSON.stringify(body));
  deepStrictEqual(body && Object.keys(body).toSorted(), row.fields?.toSorted());
  strictEqual(
    /^"[1-9]\d*(\.[0-9a-f]{16})?"$/.test(headers['etag'] ?? ''),
    row.hasETag,
    `the ETag is ${headers['etag']}`,
  );
  const id = body?.key?.id ?? body?.endpoint?.id;
  const isCreated = row.status === 201 && !row.path.includes(':');
  strictEqual(headers['location'], isCreated ? `${location}/${id}` : undefined);
};

const isWrite = ({ method }: ManagementRow): boolean => method !== 'GET';
const objectOf = (path: string): string => path.split('/').slice(0, 3).join('/');

/** Changes the object that a path names, as somebody else would. */
const changeMeanwhile = async ({ platform: { kit, known } }: ManagementApi, path: string): Promise<void> => {
  const id = known[/:(\w+)/.exec(path)?.[1] ?? ''] ?? '';
  const changed = path.startsWith('/api-keys')
    ? await kit.clients.update('org_main', id, { name: 'changed meanwhile' })
    : await kit.endpoints.update('org_main', id, { label: 'changed meanwhile' });
  strictEqual(changed.isOk(), true);
};

/** What holds for every write. The forms of foreign pages and types are cases of their own. */
const writeCase = (row: ManagementRow): ManagementCase => {
  const request = requestOf(row);
  const { body: _body, ...withoutBody } = request;
  return {
    name: `${row.name} refuses other sites, other types, unknown fields, half a JSON text and one of 64 KiB`,
    isReadOnly: true,
    run: async (api) => {
      const read = api.bodiesRead();
      await api.refuses({ ...request, headers: { 'sec-fetch-site': 'cross-site' } }, 403, 'cross_site');
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      await api.refuses({ ...withoutBody, headers: form }, 415, 'unsupported_media_type');
      strictEqual(api.bodiesRead(), read, 'a body was read');
      const json = { 'content-type': 'application/json' };
      await api.refuses({ ...request, body: { unknown: 1 } }, 400, 'invalid_input');
      await api.refuses({ ...withoutBody, headers: json, body: '{' }, 400, 'bad_request');
      await api.refuses({ ...request, body: { name: 'x'.repeat(64 * 1_024) } }, 413, 'too_large');
    },
  };
};

/** A read or a change of something that was changed meanwhile (RFC 9110 §13.1). */
const conditionCase = (row: ManagementRow): ManagementCase => {
  const request = requestOf(row);
  return {
    name: `${row.name} is for the versions that If-Match and If-None-Match allow`,
    run: async (api) => {
      const etag = async () =>
        (await api.send({ method: 'GET', path: objectOf(request.path) })).headers['etag'] ?? 'none';
      await prepare(row, api);
      const before = await etag();
      await changeMeanwhile(api, request.path);
      const current = await etag();
      notStrictEqual(current, before, 'the version');
      const stored = await api.platform.stored();
      await api.refuses({ ...request, headers: { 'if-match': before } }, 412, 'version_mismatch');
      for (const tags of [current, `${before}, ${current}`, '*']) {
        const unless = { ...request, headers: { 'if-none-match': tags } };
        if (isWrite(row)) await api.refuses(unless, 412, 'version_mismatch');
        else strictEqual((await api.send(unless)).status, 304, tags);
      }
      strictEqual(await api.platform.stored(), stored, 'what is stored');
      const allowed = await api.send({ ...request, headers: { 'if-match': current, 'if-none-match': before } });
      checkSuccess(row, allowed);
      strictEqual(allowed.headers['etag'] === current, !isWrite(row), 'whether the version is the same');
    },
  };
};

const casesOf = (row: ManagementRow): readonly ManagementCase[] => {
  const { name, right } = row;
  const request = requestOf(row);
  const rights = right ? [right] : [];
  return [
    {
      name: `${name} needs ${right ? `only the right ${right.part} ${right.access}` : 'no right'}`,
      run: async (api) => {
        const { platform } = api;
        await prepare(row, api);
        const [read, changes, stored] = [api.bodiesRead(), platform.changes.length, await platform.stored()];
        const headers = row.isConditional ? {} : { 'if-match': '"99"' };
        checkSuccess(row, await api.send({ ...request, rights, headers }));
        const storesNothing = !isWrite(row) || row.path === '/endpoints/check';
        strictEqual(api.bodiesRead() - read, isWrite(row) ? 1 : 0, 'the number of bodies that were read');
        const changed = platform.changes.slice(changes);
        deepStrictEqual(
          changed.map((each) => each.split(' by ')[1]),
          storesNothing || row.right?.part === 'sending' || row.right?.part === 'alerts' ? [] : ['user_1'],
          'who made the change',
        );
        strictEqual((await platform.stored()) === stored, storesNothing, 'whether nothing is stored');
        // The right to write includes the right to read.
        if (right?.access === 'read')
          checkSuccess(row, await api.send({ ...request, rights: [{ ...right, access: 'write' }] }));
      },
    },
    {
      name: `${name} refuses a request without a session${right ? `, or with every other right` : ''}`,
      isReadOnly: true,
      run: async (api) => {
        const read = api.bodiesRead();
        const refused = await api.refuses({ ...request, rights: 'none' }, 401, 'not_authenticated');
        strictEqual(refused.headers['www-authenticate'], 'Session realm="partner management"');
        if (right) await api.refuses({ ...request, rights: otherRights(right) }, 403, 'forbidden');
        const { unreachable, malformed } = brokenSessions;
        await api.refuses({ ...request, headers: { 'x-session': unreachable } }, 503, 'unavailable');
        await api.refuses({ ...request, headers: { 'x-session': malformed } }, 500, 'internal');
        strictEqual(api.bodiesRead(), read, 'a body was read before the session was admitted');
      },
    },
    {
      name: `${name} refuses an unknown parameter`,
      isReadOnly: true,
      run: async (api) => {
        await api.refuses({ ...request, path: `${request.path}?no=1` }, 400, 'invalid_query');
      },
    },
    ...(row.path === '/session' ? [] : [strangerCase(row)]),
    ...(isWrite(row) ? [writeCase(row)] : []),
    ...(row.isConditional ? [conditionCase(row)] : []),
  ];
};

/** Sends the example of an operation, which succeeds. The document describes the request and the answer. */
export const sendExample = async (row: ManagementRow, api: ManagementApi): Promise<void> => {
  await prepare(row, api);
  const example = api.examples.get(row.name);
  checkSuccess(row, await api.send({ ...requestOf(row), ...(example === undefined ? {} : { body: example }) }));
};

/** Reads that have an answer for what the account does not have. */
const empty: Readonly<Record<string, object>> = {
  'GET /api-keys': { items: [] },
  'GET /endpoints': { items: [] },
  'GET /events': { items: [] },
  'GET /deliveries': { items: [] },
  'GET /statistics': { items: [] },
  'GET /deliveries/:deliveryId/attempts': { items: [] },
  'GET /audit': { items: [] },
  'GET /alerts': {},
  'GET /sending': { items: [] },
  'GET /backlog': { undispatched: 0, waiting: 0, held: 0 },
};

const strangerCase = (row: ManagementRow): ManagementCase => ({
  name: `${row.name} reaches nothing of another account`,
  isReadOnly: row.path.includes(':') || !isWrite(row),
  run: async (api) => {
    const { platform } = api;
    const request = { ...requestOf(row), accountId: 'org_stranger' };
    const code = row.path.includes('/explanations/') ? 'no_such_event' : 'not_found';
    if (empty[row.name]) deepStrictEqual((await api.send(request)).body, empty[row.name]);
    else if (row.path.includes(':')) await api.refuses(request, 404, code);
    else {
      const before = (await platform.kit.clients.list('org_main'))._unsafeUnwrap();
      checkSuccess(row, await api.send(request));
      deepStrictEqual((await platform.kit.clients.list('org_main'))._unsafeUnwrap(), before);
    }
  },
});

/** Each operation under each right and condition. */
export const rowCases: readonly ManagementCase[] = rows.flatMap(casesOf);
