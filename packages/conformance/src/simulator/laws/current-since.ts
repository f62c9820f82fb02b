import type { DurationMs, EpochMs } from '@partnerkit/core';
import { groupBy } from '../../node-20.ts';
import type { SentPost } from '../trace.ts';
import type { Facts } from './facts.ts';

const looks: ReadonlySet<string> = new Set([
  'deliveries.readOutbox',
  'deliveries.readDue',
  'deliveries.readQueued',
  'deliveries.readEndpoints',
  'deliveries.settle',
]);

/** The attempt of a copied event asks for its parent first: time that may take, in milliseconds. */
const lookup: DurationMs = 1_000;

/** When an attempt was begun at the earliest. */
const begunAt = ({ ledger }: Facts, post: SentPost): EpochMs => {
  const delivery = ledger.deliveryOf(post);
  const dispatch = delivery && ledger.dispatches.get(`${delivery.accountId} ${delivery.eventId}`);
  return dispatch?.event.origin === undefined ? post.at : post.at - lookup;
};

/** For each POST, the effect of the result before the last one that its process had received. */
const readAnswersBefore = (facts: Facts): ReadonlyMap<SentPost, number> => {
  const { trace } = facts;
  const learned = groupBy(
    trace.calls.filter(({ name, learned: how }) => looks.has(name) && how === 'answer'),
    ({ process }) => process,
  );
  const found = new Map<SentPost, number>();
  for (const [process, calls] of learned) {
    const inOrder = calls.toSorted((a, b) => (a.learnedAt ?? 0) - (b.learnedAt ?? 0));
    let next = 0;
    let [last, before] = [0, 0];
    for (const post of trace.posts) {
      if (post.process !== process) continue;
      // What was received in the millisecond of the POST may have been received after it.
      const begun = begunAt(facts, post);
      for (let call = inOrder[next]; call && (call.learnedAt ?? 0) < begun; call = inOrder[++next]) {
        before = last;
        last = call.effectAt ?? 0;
      }
      found.set(post, before);
    }
  }
  return found;
};

const read = new WeakMap<Facts, ReadonlyMap<SentPost, number>>();

/**
 * From when on the state of its endpoint must be current for a POST: one poll before, or longer without a result of the
 * storage. The result before the last one counts, because its changes still have to be read.
 */
export const currentSince = (facts: Facts, post: SentPost): EpochMs => {
  const answers = read.get(facts) ?? readAnswersBefore(facts);
  read.set(facts, answers);
  return Math.min(post.at - facts.trace.history.pollEvery, answers.get(post) ?? 0) - 1_000;
};
