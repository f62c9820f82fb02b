import { deepStrictEqual, fail, ok, strictEqual } from 'node:assert';
import { type DurationMs, day, hour } from '@partnerkit/core';
import type { Inbox, InboxEntry } from '@partnerkit/core/adapter';
import type { Fixture } from '../support/contract.ts';
import type { StoreTime } from '../support/store-time.ts';

// Shared by the cases of an inbox.

/**
 * An empty inbox, with control over its time.
 * @public
 */
export interface InboxFixture extends Fixture, StoreTime {
  /** The inbox under test. */
  readonly inbox: Inbox;
}

export const key = 'RequestPayment:pay_1:payed:1735689600';
export const body = '{"data":{"id":"pay_1"}}';
/** The event of another receiver; it must never change. */
const other = 'RequestPayment:pay_2:payed:1735689600';

/** Enqueues an event, and claims it. */
export const taken = async (inbox: Inbox, of: string = key, lease: DurationMs = hour): Promise<InboxEntry> => {
  strictEqual(await inbox.enqueue(of, body), true);
  return takeOne(inbox, lease);
};
/** Claims the only due entry. */
export const takeOne = async (inbox: Inbox, lease: DurationMs = hour): Promise<InboxEntry> => {
  const [entry, ...rest] = await inbox.claim(10, lease);
  ok(entry, 'nothing is due');
  deepStrictEqual(rest, []);
  return entry;
};
export const nothingIsDue = async (inbox: Inbox): Promise<void> => deepStrictEqual(await inbox.claim(10, hour), []);
/** Claims everything that is due, in batches of any size. */
export const takeAll = async (inbox: Inbox, lease: DurationMs = hour): Promise<readonly InboxEntry[]> => {
  const entries: InboxEntry[] = [];
  for (let times = 0; times < 100; times++) {
    const more = await inbox.claim(100, lease);
    if (more.length === 0) return entries;
    entries.push(...more);
  }
  return fail('what is due does not come to an end');
};
export const keysOf = (entries: readonly { readonly key: string }[]): readonly string[] =>
  entries.map((entry) => entry.key);
export const trueOf = (answers: readonly boolean[]): number => answers.filter((answer) => answer).length;
/** Every result that a holder can report. */
export const saying: Readonly<Record<string, (inbox: Inbox, of: string, lease: string) => Promise<boolean>>> = {
  done: (inbox, of, lease) => inbox.complete(of, lease, hour),
  retry: (inbox, of, lease) => inbox.retry(of, lease, 0),
  park: (inbox, of, lease) => inbox.deadLetter(of, lease),
};
export const changesNothing = async (inbox: Inbox, of: string, lease: string): Promise<void> => {
  for (const [what, say] of Object.entries(saying)) strictEqual(await say(inbox, of, lease), false, what);
};

/** Another entry is being processed, and must still be after `act`. */
export const beside =
  (act: (inbox: Inbox, fixture: InboxFixture) => Promise<void>) =>
  async (fixture: InboxFixture): Promise<void> => {
    const { inbox } = fixture;
    const held = await taken(inbox, other, 60 * day);
    await act(inbox, fixture);
    ok(!keysOf(await takeAll(inbox)).includes(held.key), 'what another processes was taken');
    strictEqual(await inbox.enqueue(other, body), false);
    strictEqual(await inbox.complete(held.key, held.lease, hour), true);
  };
