import { account, call, request, type StandardsGroup } from '../row.ts';

const path = `${account}/payment-requests/<payment>`;
const read = (...headers: readonly string[]) => call(`GET ${path}`, headers);
const change = (...headers: readonly string[]) => call(`PATCH ${path}`, headers, '{"name":"Other"}');
const unmodified = {
  status: 304,
  headers: { etag: '"1"', 'cache-control': 'no-store', 'content-type': null, 'content-length': null },
  body: '',
};
const served = { status: 200, headers: { etag: '"1"' } };
const changed = { status: 200, headers: { etag: '"2"' }, body: { name: 'Other' } };
const failed = { status: 412, headers: { etag: null }, body: { status: 412, code: 'version_mismatch' } };
/** A refused change leaves the first version. */
const unchanged = { request: read(), answer: { ...served, body: { name: 'Stay' } } };
const shared = { 'cache-control': 'public, max-age=300' } as const;
const fresh = { ...shared, etag: /^"[^"]+"$/ };
const stale = {
  status: 304,
  headers: { ...shared, etag: '<etag>', 'content-type': null, 'content-length': null },
  body: '',
};
/** Documents that anyone reads, and that caches may keep. */
const cached = [
  ['keys', '/jwks.json'],
  ['keys of webhooks', '/.well-known/webhook-keys.json'],
  ['metadata', '/.well-known/oauth-authorization-server<issuerPath>'],
  ['the OpenAPI document', '/openapi.json'],
] as const;
const proxies = 'Proxies that compress weaken or mark a tag: `W/"1"` and `"1-gzip"` name version 1.';
const untagged = 'What has no `ETag` has no conditions: nobody was given a tag to compare.';

/** Conditions and their entity-tags. */
export const conditionRows: StandardsGroup['rows'] = [
  {
    at: '§8.8.3',
    must: 'An ETag is a text in double quotes.',
    request: read(),
    answer: { status: 200, headers: { etag: '"1"' } },
  },
  {
    at: '§13.1.1',
    must: 'If-Match with the current tag lets a change happen.',
    request: change('If-Match: "1"'),
    answer: changed,
  },
  {
    at: '§13.1.1',
    must: 'If-Match with another tag prevents a change: 412.',
    request: change('If-Match: "2"'),
    answer: failed,
    next: unchanged,
  },
  {
    at: '§13.1.1',
    must: 'If-Match is true if one tag of its list is current.',
    request: change('If-Match: "7" , "1"'),
    answer: changed,
  },
  {
    at: '§13.1.1',
    must: 'Lines of If-Match are one list (§5.3).',
    request: change('If-Match: "7"', 'If-Match: "1"'),
    answer: changed,
  },
  {
    at: '§13.1.1',
    must: 'If-Match with * is true for what exists.',
    request: change('If-Match: *'),
    answer: changed,
  },
  {
    at: '§13.1.1',
    must: 'If-Match is compared strongly: a weak tag is never current.',
    request: change('If-Match: W/"1"'),
    answer: changed,
    departs: proxies,
  },
  {
    at: '§13.1.1',
    must: 'If-Match with another tag also prevents a read.',
    request: read('If-Match: "2"'),
    answer: failed,
  },
  {
    at: '§13.1.1',
    must: 'If-Match names no tag of a representation without one.',
    request: call(`GET ${account}/me`, ['If-Match: "1"']),
    answer: { status: 200, headers: { etag: null } },
    departs: untagged,
  },
  {
    at: '§13.1.1',
    must: 'If-Match with * is true for a representation without a tag.',
    request: call(`GET ${account}/me`, ['If-Match: *']),
    answer: { status: 200, body: { id: '<account>' } },
  },
  {
    at: '§13.1.2',
    must: 'If-None-Match with the current tag: 304, without content.',
    request: read('If-None-Match: "1"'),
    answer: unmodified,
  },
  {
    at: '§13.1.2',
    must: 'If-None-Match is compared weakly.',
    request: read('If-None-Match: W/"1"'),
    answer: unmodified,
  },
  {
    at: '§13.1.2',
    must: 'If-None-Match is false if one tag of its list is current.',
    request: read('If-None-Match: "7",W/"8" ,\t"1"'),
    answer: unmodified,
  },
  {
    at: '§13.1.2',
    must: 'Lines of If-None-Match are one list (§5.3).',
    request: read('If-None-Match: "7"', 'If-None-Match: "1"'),
    answer: unmodified,
  },
  {
    at: '§13.1.2',
    must: 'Empty elements of a list do not count (§5.6.1).',
    request: read('If-None-Match: , "7",, "1",'),
    answer: unmodified,
  },
  {
    at: '§13.1.2',
    must: 'If-None-Match with * is false for what exists.',
    request: read('If-None-Match: *'),
    answer: unmodified,
  },
  {
    at: '§13.1.2',
    must: 'If-None-Match with * is false for a representation without a tag.',
    request: call(`GET ${account}/me`, ['If-None-Match: *']),
    answer: { status: 200, headers: { etag: null } },
    departs: untagged,
  },
  {
    at: '§13.1.2',
    must: 'If-None-Match with other tags is true.',
    request: read('If-None-Match: "2", W/"11"'),
    answer: served,
  },
  {
    at: '§13.1.2',
    must: 'If-None-Match with the current tag prevents a change: 412.',
    request: change('If-None-Match: W/"1"'),
    answer: failed,
    next: unchanged,
  },
  {
    at: '§13.1.2',
    must: 'If-None-Match with * prevents a change of what exists.',
    request: change('If-None-Match: *'),
    answer: failed,
    next: unchanged,
  },
  {
    at: '§13.1.3',
    must: 'If-Modified-Since is ignored without a date of modification.',
    request: read('If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT'),
    answer: served,
  },
  {
    at: '§13.1.4',
    must: 'If-Unmodified-Since is ignored without a date of modification.',
    request: change('If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT'),
    answer: changed,
  },
  {
    at: '§13.2.1',
    must: 'A condition is ignored where the request would fail without it: 404.',
    request: call(`GET ${account}/payment-requests/x`, ['If-None-Match: *', 'If-Match: "2"']),
    answer: { status: 404 },
  },
  {
    at: '§13.2.1',
    must: 'A condition is ignored where the request would fail without it: 401.',
    request: request(`GET ${path}`, ['If-None-Match: "1"']),
    answer: { status: 401 },
  },
  {
    at: '§13.2.2',
    must: 'A false If-Match decides before If-None-Match.',
    request: read('If-Match: "2"', 'If-None-Match: "1"'),
    answer: failed,
  },
  {
    at: '§13.2.2',
    must: 'After a true If-Match, If-None-Match decides.',
    request: read('If-Match: "1"', 'If-None-Match: "1"'),
    answer: unmodified,
  },
  {
    at: '§15.4.5',
    must: 'A 304 to HEAD is the one to GET.',
    request: call(`HEAD ${path}`, ['If-None-Match: "1"']),
    answer: unmodified,
  },
  ...cached.map(([name, line]): StandardsGroup['rows'][number] => ({
    at: '§15.4.5',
    must: `A 304 has the ETag and Cache-Control of the 200: ${name}.`,
    request: request(`GET ${line}`),
    answer: { status: 200, headers: fresh },
    next: {
      request: request(`GET ${line}`, ['If-None-Match: <etag>']),
      answer: stale,
      next: { request: request(`HEAD ${line}`, ['If-None-Match: <etag>']), answer: stale },
    },
  })),
];
