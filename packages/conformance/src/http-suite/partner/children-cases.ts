import {
  insufficientScope,
  invalidToken,
  json,
  missingToken,
  notFound,
  problem,
  problemType,
  repeatedToken,
} from '../support/answers.ts';
import { bad, type HttpCase } from '../support/http-case.ts';
import { longId } from './platform.ts';
import { as, get } from './requests.ts';

const path = '/organisations/org_main/children';
const view = (id: string, name: string, status = 'active') => ({ id, name, status, environment: 'prod' });
const children = [view('org/ü 1', 'Odd id'), view('org_child', 'Child', 'closed'), view(longId, 'Long id')];

const hasItems =
  (items: readonly object[], hasNext = false) =>
  (body: string): boolean => {
    const { next, ...page } = JSON.parse(body);
    return JSON.stringify(page) === JSON.stringify({ items }) && hasNext === (typeof next === 'string');
  };
const page = { status: 200, headers: json };
const answers = (status: number, code: string) => ({
  status,
  body: (body: string) => JSON.parse(body).code === code,
  headers: { ...problemType, 'x-request-id': 'an id' },
});

/** Lists of child accounts. */
export const childrenCases: readonly HttpCase[] = [
  { name: 'the children', request: as(path), ...page, body: hasItems(children) },
  {
    name: 'a page of the children',
    request: as(`${path}?limit=2`),
    ...page,
    headers: { ...json, link: '<?limit=2&after=next>; rel="next"' },
    body: hasItems(children.slice(0, 2), true),
  },
  {
    name: 'the children, last one first',
    request: as(`${path}?order=newest`),
    ...page,
    body: hasItems(children.toReversed()),
  },
  {
    name: 'the children of a child are out of reach',
    request: as('/organisations/org_child/children'),
    ...page,
    body: hasItems([]),
  },
  { name: 'the children after no cursor', request: as(`${path}?after=x`), ...answers(400, 'invalid_cursor') },
  { name: 'the children with an unknown query', request: as(`${path}?x=1`), ...answers(400, 'invalid_query') },
  ...bad('path', [
    {
      name: 'out of reach: the children of a stranger',
      request: as('/organisations/org_stranger/children'),
      ...notFound,
    },
    {
      name: 'the children of an id that is not UTF-8',
      request: as('/organisations/%ff/children'),
      ...answers(400, 'bad_request'),
    },
  ]),
  ...bad('token', [
    { name: 'the children without a token', request: () => get(path), ...missingToken },
    {
      name: 'the children with a wrong token',
      request: () => get(path, { authorization: 'Bearer x' }),
      ...invalidToken,
    },
    {
      name: 'the children with two tokens',
      request: ({ token }) => get(path, { authorization: [`Bearer ${token}`, `Bearer ${token}`] }),
      ...repeatedToken,
    },
    {
      name: 'the children with a token of another scope',
      request: ({ otherScopeToken }) => get(path, { authorization: `Bearer ${otherScopeToken}` }),
      ...insufficientScope,
    },
    {
      name: 'the children of a suspended account',
      request: ({ suspendedToken }) =>
        get('/organisations/org_suspended/children', { authorization: `Bearer ${suspendedToken}` }),
      ...problem(403, 'account_not_active', 'This account may not use the interface.'),
    },
  ]),
];
