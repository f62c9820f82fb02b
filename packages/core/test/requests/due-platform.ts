import type { Clock } from '../../src/base/runtime/clock.ts';
import { day, second, toSeconds } from '../../src/base/runtime/time.ts';
import type { Signal } from '../../src/base/signals/signal.ts';
import { createPartnerkit } from '../../src/kit/create-partnerkit.ts';
import type { GivenCommand } from '../../src/requests/commands/on-command.ts';
import { requestObjects } from '../../src/requests/extensions/objects.ts';
import type { RequestPolicies } from '../../src/requests/record/policies.ts';
import { createRequests } from '../../src/requests/requests.ts';
import { memoryAccessTokens } from '../../src/stores/memory/access-tokens.ts';
import { memoryAccounts } from '../../src/stores/memory/accounts.ts';
import { memorySender } from '../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import type { Storage } from '../../src/stores/storage/storage.ts';
import { start, testClock } from '../support/clock.ts';
import { accounts, sealingKeys } from '../support/kit.ts';
import { seededRandom } from '../support/random.ts';
import { alone, done, own, recipient } from './world.ts';

export const sum = { name: 'Stay', currency: 'EUR', recipient };
export const inDays = (days: number): number => toSeconds(start + days * day);
type DueSignal = Extract<Signal, { readonly kind: 'due_command' }>;

interface Given {
  readonly command: string;
  readonly id: string;
  /** In milliseconds from the start. */
  readonly at: number;
  readonly by: string;
}

/** Processes of one platform, over one storage on a virtual clock. */
export const platform = (policies: RequestPolicies) => {
  const clock = testClock();
  const storage = memoryStorage({ clock }) as Storage<object>;
  const given: Given[] = [];
  const signals: DueSignal[] = [];
  const errors: unknown[] = [];
  const process = (
    change: (storage: Storage<object>) => Storage<object> = (same) => same,
    hook: (command: GivenCommand<object>) => Promise<void> | void = () => undefined,
    own: RequestPolicies = policies,
    ownClock: Clock = clock,
  ) => {
    const random = seededRandom();
    const kit = createPartnerkit({
      accounts: memoryAccounts(accounts),
      tokens: memoryAccessTokens({ random }),
      sender: memorySender(),
      objects: requestObjects,
      storage: change(storage),
      observe: (signal) => {
        if (signal.kind === 'due_command') signals.push(signal);
      },
      onError: (cause) => errors.push(cause),
      advanced: { sealingKeys, clock: ownClock, random },
    });
    const onCommand = async (command: GivenCommand<object>) => {
      await hook(command);
      const { type } = command.caller;
      given.push({ command: command.command, id: command.after.id, at: clock.now() - start, by: type });
    };
    const requests = createRequests({ kit, onCommand, ...own });
    return { kit, requests, worker: kit.worker() };
  };
  const first = process();
  return {
    clock,
    storage,
    signals,
    errors,
    process,
    first,
    /** Lets the time until this one pass at once, then a few seconds: workers wake several times a second. */
    until: async (time: number) => {
      clock.set(start + time - second);
      await clock.advance(6 * second);
    },
    /** The commands that rules gave. */
    byRule: () => given.filter(({ by }) => by === 'rule').map(({ command, id, at }) => ({ command, id, at })),
    deposit: async (guaranteedUntil: number) => {
      const { id } = await done(first.requests.deposits.create(own.id, { ...sum, depositAmount: 300 }, alone));
      const input = { guaranteedUntil };
      await done(first.requests.deposits.perform(own.id, id, 'succeedDeposit', { ...alone, input }));
      return id;
    },
  };
};

/** A storage whose process is killed: nothing that it calls then is carried out, or answers. */
export const killable = () => {
  let isDead = false;
  const hang = (): Promise<never> => new Promise(() => undefined);
  const dying = <T extends object>(part: T): T =>
    new Proxy(part, {
      get: (_part, name) => {
        const value: unknown = Reflect.get(part, name);
        if (typeof value === 'function')
          return (...given: unknown[]) => (isDead ? hang() : Reflect.apply(value, part, given));
        return typeof value === 'object' && value !== null ? dying(value) : value;
      },
    });
  return {
    kill: () => {
      isDead = true;
    },
    /** Dies at the commit: the hook was called, and the transaction is rolled back. */
    over: (storage: Storage<object>): Storage<object> => {
      const killed = new Error('killed');
      const transaction: Storage<object>['transaction'] = async (work, options) => {
        try {
          return await storage.transaction(async (tx) => {
            const value = await work(tx);
            if (isDead) throw killed;
            return value;
          }, options);
        } catch (cause) {
          return cause === killed ? hang() : Promise.reject(cause);
        }
      };
      return dying({ ...storage, transaction });
    },
  };
};
