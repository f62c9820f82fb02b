import { type ContractOptions, runCases } from '../support/contract.ts';
import { keeping, taking } from './inbox-keeping.ts';
import { mending, settling } from './inbox-settling.ts';
import type { InboxFixture } from './inbox-support.ts';

export type { InboxFixture } from './inbox-support.ts';

/**
 * Tests the obligations of an `Inbox`.
 * @example
 * const create = async ({ storeAhead }: FixtureSettings): Promise<InboxFixture> => {
 *   let now = Date.now() + storeAhead;
 *   const clock = { now: () => now, sleep: async () => {} };
 *   const elapse = async (time: number) => {
 *     now += time;
 *   };
 *   return { inbox: memoryInbox({ clock }), elapse };
 * };
 * inboxContract({ test, create });
 * @throws TypeError when a deviation names no case.
 * @public
 */
export const inboxContract = (options: ContractOptions<InboxFixture>): void =>
  runCases({ ...keeping, ...taking, ...settling, ...mending }, options);
