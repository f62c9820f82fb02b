import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert';
import { day, type EpochMs, hour, minute, second } from '@partnerkit/core';
import type { ClaimedCommand, DueAccount, DueChange, DueStore } from '@partnerkit/core/adapter';
import { type Cases, concurrently } from '../support/contract.ts';
import { whileOpen } from '../support/open-transaction.ts';
import { race, soon } from '../support/racers.ts';
import { newId, ours } from '../support/records.ts';
import type { RequestsFixture } from './fixture.ts';

const lease = minute;

const dueOf = ({ storage }: RequestsFixture): DueStore<object> => storage.requests.due;
const plan = (fixture: RequestsFixture, ...changes: readonly DueChange[]): Promise<void> =>
  fixture.storage.transaction((tx) => dueOf(fixture).plan(tx, changes));
const claim = async (fixture: RequestsFixture, limit = 100, after?: DueAccount): Promise<readonly ClaimedCommand[]> =>
  (await dueOf(fixture).claim(limit, lease, after)).claimed;
/** The time of the store's clock. */
const storeNow = async (fixture: RequestsFixture): Promise<EpochMs> => (await dueOf(fixture).claim(0, lease)).now;
/** The accounts of claims that follow each other, each after the last one, until nothing is due. */
const turnsOf = async (fixture: RequestsFixture, limit: number): Promise<readonly string[]> => {
  const accounts: string[] = [];
  for (let last: ClaimedCommand | undefined; ; ) {
    const claimed = await claim(fixture, limit, last);
    if (claimed.length === 0) return accounts;
    ok(accounts.length < 1_000, 'a claim takes what was claimed before');
    accounts.push(...claimed.map(({ accountId }) => accountId));
    last = claimed.at(-1);
  }
};

const key = () => ({ kind: 'deposits', id: newId(), name: 'guaranteeExpired' }) as const;
const waiting = (dueAt: EpochMs | undefined, change: Partial<DueChange> = {}): DueChange => ({
  ...key(),
  accountId: ours,
  environment: 'prod',
  dueAt,
  isReminder: false,
  ...change,
});
const many = (count: number, of: (nth: number) => DueChange): readonly DueChange[] =>
  Array.from({ length: count }, (_, nth) => of(nth));
const keysOf = (commands: readonly { readonly kind: string; readonly id: string; readonly name: string }[]) =>
  commands.map(({ kind, id, name }) => `${kind} ${id} ${name}`);

/** Plans one command that is due now, and claims it. */
const claimOne = async (fixture: RequestsFixture): Promise<{ planned: DueChange; claimed: ClaimedCommand }> => {
  const planned = waiting(await storeNow(fixture));
  await plan(fixture, planned);
  const [claimed] = await claim(fixture);
  ok(claimed);
  return { planned, claimed };
};

/** Rules of stores of due commands. */
export const dueCases: Cases<RequestsFixture> = {
  'due: a command is claimed from its time on, as it was planned, and never before': async (fixture) => {
    const dueAt = (await storeNow(fixture)) + hour;
    const planned = waiting(dueAt, { id: 'Dépôt~1 "x"', environment: 'dev' });
    await plan(fixture, planned);
    deepStrictEqual(await claim(fixture), []);
    await fixture.elapse(hour - second);
    const before = await dueOf(fixture).claim(1, lease);
    // The clock of a database goes on by itself.
    if (before.now < dueAt) deepStrictEqual(before.claimed, []);
    await fixture.elapse(second);
    const { now, claimed } = await dueOf(fixture).claim(1, lease);
    ok(now >= dueAt);
    deepStrictEqual(claimed, [{ ...planned, attempts: 1, claimableAt: now + lease }]);
  },
  'due: a claimed command is claimed again once its lease has ended': async (fixture) => {
    const { claimed } = await claimOne(fixture);
    deepStrictEqual(await claim(fixture), []);
    await fixture.elapse(lease - 10 * second);
    deepStrictEqual(await claim(fixture), []);
    await fixture.elapse(10 * second);
    const [again] = await claim(fixture);
    deepStrictEqual([again?.dueAt, again?.attempts], [claimed.dueAt, claimed.attempts + 1]);
  },
  'due: those that wait longest are claimed first, up to the limit': async (fixture) => {
    const now = await storeNow(fixture);
    const planned = [3, 1, 4, 2].map((nth) => waiting(now + nth * minute));
    await plan(fixture, ...planned);
    await fixture.elapse(5 * minute);
    const inOrder = planned.toSorted((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0));
    deepStrictEqual(keysOf(await claim(fixture, 3)), keysOf(inOrder.slice(0, 3)));
    deepStrictEqual(keysOf(await claim(fixture, 3)), keysOf(inOrder.slice(3)));
  },
  'due: of many simultaneous claims, exactly one gets each command': async (fixture) => {
    const now = await storeNow(fixture);
    const planned = Array.from({ length: 30 }, () => waiting(now - second));
    await plan(fixture, ...planned);
    const got = (await race(() => claim(fixture, 4))).flat();
    // Who finds all of them locked gets none: the rest is left for the next claim.
    const all = [...got, ...(await claim(fixture))];
    deepStrictEqual(keysOf(all).sort(), keysOf(planned).sort());
  },
  'due: kind, id and name tell commands apart; a plan replaces one, and removes one': async (fixture) => {
    const now = await storeNow(fixture);
    const first = waiting(now - 5 * second);
    const others = [{ kind: 'cashOuts' } as const, { id: `${first.id}x` }, { name: 'guaranteeEnding' }].map(
      (change, index) => ({ ...first, ...change, dueAt: now + index * minute }),
    );
    await plan(fixture, first, ...others);
    await plan(fixture, { ...first, dueAt: now + hour }, { ...first, name: 'unknown', dueAt: undefined });
    await fixture.elapse(3 * minute);
    deepStrictEqual(keysOf(await claim(fixture)), keysOf(others));
    await plan(fixture, ...others.map((each) => ({ ...each, dueAt: undefined })));
    await fixture.elapse(hour);
    deepStrictEqual(keysOf(await claim(fixture)), keysOf([first]));
  },
  'due: a command that is planned anew begins anew, whoever has claimed it': async (fixture) => {
    const { planned, claimed } = await claimOne(fixture);
    await plan(fixture, planned);
    await dueOf(fixture).release(claimed);
    await dueOf(fixture).release(claimed, { dueAt: 1, pause: hour });
    await fixture.elapse(second);
    const [again] = await claim(fixture);
    ok(again);
    strictEqual(again.attempts, 1);
    ok(again.dueAt >= (planned.dueAt ?? 0));
    // Both are the first claim of what was planned: only its time tells them apart.
    await dueOf(fixture).release(claimed);
    await dueOf(fixture).release(claimed, { dueAt: 1, pause: 0 });
    deepStrictEqual(await claim(fixture), []);
    await fixture.elapse(lease);
    deepStrictEqual(keysOf(await claim(fixture)), keysOf([planned]));
  },
  'due: what was due before it was planned is due when it is planned': async (fixture) => {
    const before = await storeNow(fixture);
    await plan(fixture, waiting(before - day), waiting(before - 1));
    const { now, claimed } = await dueOf(fixture).claim(10, lease);
    for (const { dueAt } of claimed) ok(dueAt >= before && dueAt <= now, `it was due at ${dueAt}, not at ${before}`);
    strictEqual(claimed.length, 2);
  },
  'due: accounts take turns, one command of each, from the one after the last': async (fixture) => {
    const now = await storeNow(fixture);
    const of = (accountId: string) => () => waiting(now - second, { accountId });
    await plan(fixture, ...many(9, of('b')), ...many(3, of('d')), ...many(3, of('a')), ...many(3, of('C')));
    strictEqual((await turnsOf(fixture, 2)).join(''), 'CabdCabdCabdbbbbbb');
  },
  'due: a claim takes as many as its limit, also of few accounts': async (fixture) => {
    const now = await storeNow(fixture);
    const of = (accountId: string) => () => waiting(now - second, { accountId });
    await plan(fixture, ...many(9, of('b')), ...many(1, of('d')));
    const claimed = await claim(fixture, 4);
    strictEqual(claimed.map(({ accountId }) => accountId).join(''), 'bdbb');
  },
  'due: an account in two environments has two turns': async (fixture) => {
    const now = await storeNow(fixture);
    const of = (environment: string) => () => waiting(now - second, { environment });
    await plan(fixture, ...many(5, of('dev')), ...many(5, of('prod')));
    const claimed = await claim(fixture, 4, { accountId: ours, environment: 'dev' });
    deepStrictEqual(
      claimed.map(({ environment }) => environment),
      ['prod', 'dev', 'prod', 'dev'],
    );
  },
  'due: a quiet account waits for one turn of each other account, however much of these is older': async (fixture) => {
    const now = await storeNow(fixture);
    const [loud, other, quiet] = ['m', 'z', 'n'];
    await plan(fixture, ...many(60, () => waiting(now - second, { accountId: loud ?? '' })));
    await plan(fixture, ...many(60, () => waiting(now - second, { accountId: other ?? '' })));
    await fixture.elapse(second);
    await plan(fixture, waiting(now, { accountId: quiet ?? '' }));
    const first = await claim(fixture, 1, { accountId: loud ?? '', environment: 'prod' });
    deepStrictEqual(
      first.map(({ accountId }) => accountId),
      [quiet],
    );
  },
  'due: of one account, deadlines come before reminders, then those that wait longest': async (fixture) => {
    const now = await storeNow(fixture);
    const planned = [
      waiting(now + 1 * second, { isReminder: true }),
      waiting(now + 3 * second),
      waiting(now + 2 * second),
      waiting(now + 4 * second, { isReminder: true }),
    ] as const;
    await plan(fixture, ...planned);
    await fixture.elapse(5 * second);
    deepStrictEqual(keysOf(await claim(fixture, 2)), keysOf([planned[2], planned[1]]));
    deepStrictEqual(keysOf(await claim(fixture, 1)), keysOf([planned[0]]));
    // A reminder that was planned anew as a deadline is one.
    await plan(fixture, { ...planned[3], isReminder: false }, waiting(now, { isReminder: true }));
    deepStrictEqual(keysOf(await claim(fixture, 1)), keysOf([planned[3]]));
  },
  'due: what takes turns is planned anew, removed and claimed again like any other': async (fixture) => {
    const now = await storeNow(fixture);
    const planned = many(6, () => waiting(now - second));
    await plan(fixture, ...planned);
    const [first] = await claim(fixture, 1);
    ok(first);
    const [removed, moved, ...left] = planned.filter(({ id }) => id !== first.id);
    ok(removed && moved);
    await plan(fixture, { ...removed, dueAt: undefined }, { ...moved, dueAt: now + hour });
    await dueOf(fixture).release(first, { dueAt: first.dueAt, pause: 0 });
    const again = [...(await claim(fixture, 3)), ...(await claim(fixture, 10))];
    deepStrictEqual(keysOf(again).sort(), keysOf([first, ...left]).sort());
    await fixture.elapse(hour);
    deepStrictEqual(keysOf(await claim(fixture)).sort(), keysOf([moved, first, ...left]).sort());
  },
  'due: a rollback plans nothing, and removes nothing': async (fixture) => {
    const now = await storeNow(fixture);
    const [kept, lost] = [waiting(now - second), waiting(now - second)];
    await plan(fixture, kept);
    await whileOpen(fixture.storage, async ({ tx, rollback }) => {
      await dueOf(fixture).plan(tx, [{ ...kept, dueAt: undefined }, lost]);
      await rollback();
    });
    deepStrictEqual(keysOf(await claim(fixture)), keysOf([kept]));
  },
  'due: nobody claims what is not committed, and no claim waits for a plan': concurrently(async (fixture) => {
    const now = await storeNow(fixture);
    const [known, planned, other] = [now + hour, now - second, now - second].map((at) => waiting(at));
    ok(known && planned && other);
    await plan(fixture, known, other);
    await whileOpen(fixture.storage, async ({ tx, commit }) => {
      await dueOf(fixture).plan(tx, [planned, { ...known, dueAt: now - second }]);
      deepStrictEqual(keysOf(await soon(claim(fixture), 'a claim beside a plan')), keysOf([other]));
      await commit();
    });
    deepStrictEqual(keysOf(await claim(fixture)).sort(), keysOf([planned, known]).sort());
  }),
  'due: a released command waits for its pause, and then is due when the release said': async (fixture) => {
    const { claimed } = await claimOne(fixture);
    await dueOf(fixture).release(claimed, { dueAt: claimed.dueAt - 5, pause: hour });
    await fixture.elapse(hour - 10 * second);
    deepStrictEqual(await claim(fixture), []);
    await fixture.elapse(10 * second);
    const [again] = await claim(fixture);
    deepStrictEqual([again?.dueAt, again?.attempts], [claimed.dueAt - 5, 2]);
  },
  'due: a command that is released without a time is gone': async (fixture) => {
    const { claimed } = await claimOne(fixture);
    await dueOf(fixture).release(claimed);
    await fixture.elapse(hour);
    deepStrictEqual(await claim(fixture), []);
  },
  'due: a claim that is over releases nothing': async (fixture) => {
    const { claimed } = await claimOne(fixture);
    await fixture.elapse(lease);
    const [second] = await claim(fixture);
    ok(second);
    await dueOf(fixture).release(claimed);
    await dueOf(fixture).release(claimed, { dueAt: 1, pause: hour });
    await fixture.elapse(lease);
    const [third] = await claim(fixture);
    deepStrictEqual([third?.dueAt, third?.attempts], [claimed.dueAt, 3]);
  },
  'due: an ended transaction plans nothing': async (fixture) => {
    const planned = waiting(await storeNow(fixture));
    await whileOpen(fixture.storage, async ({ tx, commit }) => {
      await commit();
      await rejects(dueOf(fixture).plan(tx, [planned]));
    });
    strictEqual((await claim(fixture)).length, 0);
  },
};
