import { deepStrictEqual, fail, ok, strictEqual } from 'node:assert';
import { type DurationMs, day, hour, type Inbox, type InboxEntry } from '@partnerkit/core';
import type { Fixture } from './contract.ts';
import type { StoreTime } from './store-time.ts';

// What the cases of an inbox share.

/**
 * An inbox that kept nothing yet, and a hand on its time.
 * @public
 */
export interface InboxFixture extends Fixture, StoreTime {
  readonly inbox: Inbox;
}

export const key = 'RequestPayment:pay_1:payed:1735689600';
export const body = '{"data":{"id":"pay_1"}}';
/** Of another receiver's event: whatever is done with the one, it stands. */
const other = 'RequestPayment:pay_2:payed:1735689600';

/** Keeps one, and takes it. */
export const taken = async (inbox: Inbox, of: string = key, lease: DurationMs = hour): Promise<InboxEntry> => {
  strictEqual(await inbox.keep(of, body), true);
  return takeOne(inbox, lease);
};
/** Takes the only one that is due. */
export const takeOne = async (inbox: Inbox, lease: DurationMs = hour): Promise<InboxEntry> => {
  const [entry, ...rest] = await inbox.take(10, lease);
  ok(entry, 'nothing is due');
  deepStrictEqual(rest, []);
  return entry;
};
export const nothingIsDue = async (inbox: Inbox): Promise<void> => deepStrictEqual(await inbox.take(10, hour), []);
/** Takes all that is due, however little comes at a time. */
export const takeAll = async (inbox: Inbox, lease: DurationMs = hour): Promise<readonly InboxEntry[]> => {
  const entries: InboxEntry[] = [];
  for (let times = 0; times < 100; times++) {
    const more = await inbox.take(100, lease);
    if (more.length === 0) return entries;
    entries.push(...more);
  }
  return fail('what is due does not come to an end');
};
export const keysOf = (entries: readonly { readonly key: string }[]): readonly string[] =>
  entries.map((entry) => entry.key);
export const trueOf = (answers: readonly boolean[]): number => answers.filter((answer) => answer).length;
/** Whatever a holder may say of its entry. */
export const saying: Readonly<Record<string, (inbox: Inbox, of: string, lease: string) => Promise<boolean>>> = {
  done: (inbox, of, lease) => inbox.done(of, lease, hour),
  retry: (inbox, of, lease) => inbox.retry(of, lease, 0),
  park: (inbox, of, lease) => inbox.park(of, lease),
};
export const changesNothing = async (inbox: Inbox, of: string, lease: string): Promise<void> => {
  for (const [what, say] of Object.entries(saying)) strictEqual(await say(inbox, of, lease), false, what);
};

/** Another entry is being processed, and must still be when `act` is over. */
export const beside =
  (act: (inbox: Inbox, fixture: InboxFixture) => Promise<void>) =>
  async (fixture: InboxFixture): Promise<void> => {
    const { inbox } = fixture;
    const held = await taken(inbox, other, 60 * day);
    await act(inbox, fixture);
    ok(!keysOf(await takeAll(inbox)).includes(held.key), 'what another processes was taken');
    strictEqual(await inbox.keep(other, body), false);
    strictEqual(await inbox.done(held.key, held.lease, hour), true);
  };
