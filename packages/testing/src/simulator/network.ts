import type { Sender, SendOutcome } from '@partnerkit/core';
import type { History, ScriptedAnswer } from './history.ts';
import type { Prng } from './prng.ts';
import type { Process, Scheduler } from './scheduler.ts';
import type { Sent } from './trace.ts';

const never = new AbortController().signal;

const outcomeOf = (answer: ScriptedAnswer, took: number): SendOutcome =>
  'fails' in answer
    ? { kind: 'failed', reason: answer.fails, took }
    : {
        kind: 'answered',
        body: '',
        took,
        status: answer.status,
        ...(answer.retryAfter === undefined ? {} : { retryAfter: answer.retryAfter }),
      };

/** The receivers of a history: each answers its script, then always the same. @internal */
export const scriptedNetwork = (history: History, urls: readonly string[], scheduler: Scheduler, prng: Prng) => {
  const sent: Sent[] = [];
  const answered = urls.map(() => 0);
  const senderOf = (process: Process): Sender => ({
    // The start is noted in the very moment of the call: no process is suspended between its check of the lease and this.
    send: async ({ url, body, deadline }) => {
      const post: Sent = { at: scheduler.now(), process: process.name, url, body, deadline };
      sent.push(post);
      const endpoint = urls.indexOf(url);
      const turn = answered[endpoint] ?? 0;
      answered[endpoint] = turn + 1;
      const script = history.endpoints[endpoint];
      const answer = script?.answers[turn] ?? script?.afterwards ?? { status: 200 };
      await process.clock.sleep(
        'fails' in answer && answer.fails === 'timeout' ? deadline : prng.below(deadline),
        never,
      );
      // A process that was suspended learns late; what it learns is what happened in time.
      post.ended = Math.min(scheduler.now(), post.at + deadline);
      post.outcome = outcomeOf(answer, post.ended - post.at);
      return post.outcome;
    },
  });
  return { sent, senderOf };
};
