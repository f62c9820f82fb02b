import type { MadeEndpoint } from './laws.ts';
import { accountIds, hugeAccount, type openKit, parentAccount } from './platform.ts';
import type { Manner, Receiver } from './receiver.ts';

/** Their second endpoints answer with 410. That of the last one is deleted when all is published. */
const [goneAccount, deletedAccount] = accountIds.slice(10);

const mannerOf = (accountId: string): Manner => {
  if (accountId === hugeAccount) return 'stubborn';
  return accountId === goneAccount || accountId === deletedAccount ? 'gone' : 'flaky';
};

/** What partners have: two endpoints of each account, one of the parent, and one that is disabled now and then. */
export const makeEndpoints = async (kit: Pick<ReturnType<typeof openKit>, 'endpoints'>, receiver: Receiver) => {
  const make = async (accountId: string, name: string, manner: Manner, isAlwaysThere = true): Promise<MadeEndpoint> => {
    const path = `/${accountId}/${name}`;
    const created = await kit.endpoints.create(accountId, {
      url: receiver.urlOf(path, manner),
      events: ['payed'],
      standardWebhooks: true,
      includeChildren: accountId === parentAccount,
    });
    return { accountId, id: created._unsafeUnwrap().endpoint.id, path, isAlwaysThere };
  };
  const firsts: MadeEndpoint[] = [];
  const seconds: MadeEndpoint[] = [];
  for (const accountId of accountIds) {
    firsts.push(await make(accountId, 'first', 'steady'));
    seconds.push(await make(accountId, 'second', mannerOf(accountId)));
  }
  const ofParent = await make(parentAccount, 'first', 'steady');
  const switched = await make(hugeAccount, 'switched', 'steady', false);
  const deleted = seconds.find(({ accountId }) => accountId === deletedAccount) as MadeEndpoint;
  return { all: [...firsts, ...seconds, ofParent, switched], firsts, switched, deleted };
};
