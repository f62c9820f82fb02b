import { notFound } from '../support/answers.ts';
import { bad, type HttpCase } from '../support/http-case.ts';
import { longId } from './platform.ts';
import { account, as, mainAccount, me } from './requests.ts';

const served: readonly HttpCase[] = [
  { name: 'the own account', request: me('org_main'), ...mainAccount },
  { name: 'a child, whatever its status', request: me('org_child'), ...account('org_child', 'Child', 'closed') },
  { name: 'an id that is percent-encoded', request: me('org%2F%C3%BC%201'), ...account('org/ü 1', 'Odd id') },
  { name: 'an id of 150 bytes', request: me(longId), ...account(longId, 'Long id') },
  { name: 'the own account with a query', request: as('/organisations/org_main/me?x=%zz'), ...mainAccount },
];

/** Accounts out of reach, and ids that do not exist: the responses are the same. */
const outOfReach: readonly HttpCase[] = [
  'org_parent',
  'org_grandchild',
  'org_stranger',
  'org_dev',
  'org_absent',
  'ORG_MAIN',
  'org_main%20',
  'org_main+',
  'org%00main',
  'org_main%0D%0A',
  'org_main%252F',
  'org_main%2F..',
  'org_main;v=1',
  '%2e%2e',
  '*',
  ':organisationId',
  '__proto__',
  '%F0%9F%8F%A1',
  'x'.repeat(256),
  'x'.repeat(257),
  '%C3%A9'.repeat(129),
  'x'.repeat(5_000),
].map((id): HttpCase => {
  const shown = id.length > 40 ? `${id.slice(0, 12)}… (${id.length} characters)` : id;
  return { name: `out of reach: ${shown}`, request: me(id), ...notFound };
});

export const accountCases: readonly HttpCase[] = [...served, ...bad('path', outOfReach)];
