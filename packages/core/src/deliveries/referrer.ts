import type { FindParent } from '../accounts/find-parent.ts';
import { createBell } from '../runtime/bell.ts';
import { createCache } from '../runtime/cache.ts';
import type { Clock } from '../runtime/clock.ts';
import { type DurationMs, type EpochMs, second } from '../runtime/time.ts';
import { ask } from '../runtime/unavailable.ts';
import type { Referral, Referrals, Referred, Referring } from './referrals.ts';
import type { Trouble } from './trouble.ts';

/** So many accounts are asked for at once. */
const mostAtOnce = 32;
/** Who has not answered by then is not waited for: what is known of the others is referred, and the answer counts in a later round. */
const patience: DurationMs = second / 10;
/** An account whose parent could not be found out is looked at again so much later. */
const retryAfter: DurationMs = 5 * second;
/** Something waits, and could not be referred. */
const soon: DurationMs = second;

const nothing: Referred = { events: 0, copies: 0 };

/** @internal */
export interface ReferrerDeps {
  readonly referrals: Referrals;
  readonly findParent: FindParent;
  readonly clock: Clock;
  readonly trouble: Trouble;
  /** How often it looks for what other workers left behind. */
  readonly every: DurationMs;
  /** There are new events to dispatch. */
  readonly onCopied: () => void;
}

/** Refers events to the parents of their accounts, beside the deliveries: a directory that is slow delays none of them. @internal */
export interface Referrer {
  /** Something new waits. */
  tell(): void;
  /** Refers all that can be referred. Resolves to how many copies that made. */
  once(): Promise<number>;
  /** Refers what comes. Resolves when it is stopped. */
  run(): Promise<void>;
  stop(): void;
}

/** What a walk over all accounts that wait has brought. */
interface Walked {
  readonly accounts: number;
  readonly events: number;
  readonly copies: number;
}

/** @internal */
export const createReferrer = (deps: ReferrerDeps): Referrer => {
  const { referrals, findParent, clock, trouble, every, onCopied } = deps;
  let bell = createBell(clock);
  let stopped = true;
  const notBefore = createCache<EpochMs>(100 * mostAtOnce);
  const asking = new Set<string>();

  const lookUp = async (referring: Referring, onFound: (found: Referral) => void): Promise<void> => {
    const { accountId } = referring;
    if (asking.has(accountId) || (notBefore.get(accountId) ?? 0) > clock.now()) return;
    asking.add(accountId);
    await findParent(accountId).match(
      (parentId) => onFound(parentId === undefined ? referring : { ...referring, parentId }),
      ({ cause }) => {
        notBefore.set(accountId, clock.now() + retryAfter);
        trouble.note('refer', cause);
      },
    );
    asking.delete(accountId);
  };

  /** Those whose parents are known by then. What is known later is remembered for a moment, and rings. */
  const known = async (accounts: readonly Referring[], wait: DurationMs | undefined): Promise<readonly Referral[]> => {
    const found: Referral[] = [];
    const all = createBell(clock);
    let late = false;
    const asked = accounts.map(async (each) => {
      await lookUp(each, (referral) => found.push(referral));
      if (late) bell.ring();
    });
    void Promise.all(asked).then(all.ring);
    await all.wait(wait);
    late = true;
    return [...found];
  };

  const refer = (found: readonly Referral[]): Promise<Referred> =>
    found.length === 0
      ? Promise.resolve(nothing)
      : trouble.orElse(
          'refer',
          ask(() => referrals.refer(found)),
          nothing,
        );

  const list = (after: string | undefined): Promise<readonly Referring[]> =>
    trouble.orElse(
      'refer',
      ask(() => referrals.listReferring(mostAtOnce, after)),
      [],
    );

  const walk = async (wait: DurationMs | undefined, goesOn: () => boolean): Promise<Walked> => {
    let walked: Walked = { accounts: 0, ...nothing };
    for (let after: string | undefined; ; ) {
      const page = await list(after);
      const { events, copies } = await refer(page.length > 0 ? await known(page, wait) : []);
      if (copies > 0) onCopied();
      walked = {
        accounts: walked.accounts + page.length,
        events: walked.events + events,
        copies: walked.copies + copies,
      };
      after = page.at(-1)?.accountId;
      if (page.length < mostAtOnce || !goesOn()) return walked;
    }
  };

  return {
    tell: () => bell.ring(),
    once: async () => {
      for (let made = 0; ; ) {
        const { events, copies } = await walk(undefined, () => true);
        made += copies;
        if (events === 0) return made;
      }
    },
    run: async () => {
      bell = createBell(clock);
      stopped = false;
      while (!stopped) {
        const { accounts, events } = await walk(patience, () => !stopped);
        if (events === 0 && !stopped) await bell.wait(accounts > 0 ? soon : every);
      }
    },
    stop: () => {
      stopped = true;
      bell.ring();
    },
  };
};
