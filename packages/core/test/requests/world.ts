import { expect } from 'vitest';
import type { Result, ResultAsync } from '#result';
import type { AccountDirectory } from '../../src/base/accounts/account.ts';
import type { Clock } from '../../src/base/runtime/clock.ts';
import type { Signal } from '../../src/base/signals/signal.ts';
import { createPartnerkit } from '../../src/kit/create-partnerkit.ts';
import { requestObjects } from '../../src/requests/extensions/objects.ts';
import type { RequestsOptions } from '../../src/requests/options/requests-options.ts';
import { createRequests } from '../../src/requests/requests.ts';
import type { RequestStores } from '../../src/requests/stores/stores.ts';
import { memoryAccessTokens } from '../../src/stores/memory/access-tokens.ts';
import { memoryAccounts } from '../../src/stores/memory/accounts.ts';
import { memorySender } from '../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import type { Storage } from '../../src/stores/storage/storage.ts';
import { testClock } from '../support/clock.ts';
import { accounts, eventsOf, sealingKeys } from '../support/kit.ts';
import { seededRandom } from '../support/random.ts';

/** The account that most tests act for. */
export const own = { id: 'acc_a', environment: 'prod' };
export const child = { id: 'acc_child', environment: 'prod' };
export const stranger = { id: 'acc_b', environment: 'prod' };

/** An event as a partner receives it. */
export interface SentEvent {
  readonly timestamp: number;
  readonly objectName: string;
  readonly type: string;
  readonly data: { readonly id: string; readonly status: string; readonly [field: string]: unknown };
}

const inMemory = (clock: Clock): Storage<object> => memoryStorage({ clock }) as Storage<object>;

type Options = Partial<RequestsOptions<object>>;
type KitLimits = NonNullable<Parameters<typeof createPartnerkit>[0]['limits']>;

/** A platform with requests, in memory unless something else is opened, on a clock that stands still. */
export const requestWorld = (open: typeof inMemory = inMemory, options: Options = {}, limits: KitLimits = {}) => {
  const clock = testClock();
  const random = seededRandom();
  const storage = open(clock);
  const known = memoryAccounts(accounts);
  const environments = new Map<string, string>();
  const directory: AccountDirectory = {
    find: async (id) => {
      const account = await known.find(id);
      return account && { ...account, environment: environments.get(id) ?? account.environment };
    },
  };
  const signals: Signal[] = [];
  const tokens = memoryAccessTokens({ random });
  const kitOver = (over: Storage<object>) =>
    createPartnerkit({
      accounts: directory,
      tokens,
      sender: memorySender(),
      objects: requestObjects,
      observe: (signal) => signals.push(signal),
      storage: over,
      limits,
      advanced: { sealingKeys, clock, random },
    });
  const kit = kitOver(storage);
  return {
    clock,
    directory,
    /** Moves an account to another environment. */
    place: (accountId: string, environment: string): void => {
      environments.set(accountId, environment);
    },
    storage,
    stores: storage.requests,
    signals,
    kit,
    requests: createRequests({ kit, ...options }),
    /** Requests whose stores are replaced, over the same data. */
    requestsOver: (stores: Partial<RequestStores<object>>, more: Options = {}) =>
      createRequests({ kit: kitOver({ ...storage, requests: { ...storage.requests, ...stores } }), ...more }),
    /** Every event of an account, dispatched, by the second that it was dispatched with. */
    events: async (accountId = own.id): Promise<readonly SentEvent[]> => {
      await kit.worker().drain();
      const found = await eventsOf(storage, accountId);
      return found
        .map(
          (each): SentEvent =>
            'body' in each ? JSON.parse(each.body as string) : expect.unreachable('not dispatched'),
        )
        .sort((a, b) => a.timestamp - b.timestamp);
    },
  };
};
export type World = ReturnType<typeof requestWorld>;

export const recipient = { email: 'guest@example.com' };
export const alone = { tx: 'new' } as const;

/** The value of a command that must not be refused. */
export const done = async <T>(result: Promise<Result<T, unknown>> | ResultAsync<T, unknown>): Promise<T> => {
  const settled = await result;
  return settled.isOk() ? settled.value : expect.unreachable(`refused: ${JSON.stringify(settled.error)}`);
};
/** The code of a command that must be refused. */
export const codeOf = async (
  result: Promise<Result<unknown, { readonly code: string }>> | ResultAsync<unknown, { readonly code: string }>,
): Promise<string> => {
  const settled = await result;
  return settled.isErr() ? settled.error.code : expect.unreachable('not refused');
};
