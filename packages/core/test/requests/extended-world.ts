import { expect } from 'vitest';
import { createPartnerkit } from '../../src/kit/create-partnerkit.ts';
import type { RequestExtensions } from '../../src/requests/extensions/extension.ts';
import { extendRequestObjects } from '../../src/requests/extensions/objects.ts';
import type { RequestsOptions } from '../../src/requests/options/requests-options.ts';
import { createRequests } from '../../src/requests/requests.ts';
import { memoryAccessTokens } from '../../src/stores/memory/access-tokens.ts';
import { memoryAccounts } from '../../src/stores/memory/accounts.ts';
import { memorySender } from '../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import { accounts, eventsOf, sealingKeys } from '../support/kit.ts';

/** A platform in memory whose requests have fields of the host's own. */
export const extendedWorld = <const X extends RequestExtensions>(
  extend: X,
  options: Pick<RequestsOptions<object>, 'newId'> = {},
) => {
  const storage = memoryStorage();
  const kit = createPartnerkit({
    accounts: memoryAccounts(accounts),
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    advanced: { sealingKeys },
    storage,
    objects: extendRequestObjects(extend),
  });
  return {
    kit,
    storage,
    /** The bytes of each event body of an account. */
    bodyBytes: async (accountId: string): Promise<readonly number[]> => {
      await kit.worker().drain();
      return (await eventsOf(storage, accountId)).map((event) =>
        'body' in event ? Buffer.byteLength(event.body as string) : expect.unreachable('not dispatched'),
      );
    },
    requests: createRequests({ ...options, kit, extend }),
  };
};
