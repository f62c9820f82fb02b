import type { DurationMs, EpochMs } from '@partnerkit/core';
import type { DeliveryRequest, Sender, SendOutcome } from '@partnerkit/core/adapter';
import type { Faults } from './faults.ts';
import type { History, ScriptedAnswer } from './history.ts';
import type { Prng } from './prng.ts';
import type { Process } from './process.ts';
import type { Scheduler } from './scheduler.ts';
import type { SentPost } from './trace.ts';

const never = new AbortController().signal;

const outcomeOf = (answer: ScriptedAnswer, durationMs: DurationMs): SendOutcome | undefined => {
  if ('fails' in answer)
    return answer.fails === 'never' ? undefined : { kind: 'failed', reason: answer.fails, durationMs };
  const { status, retryAfter } = answer;
  return { kind: 'answered', status, body: '', durationMs, ...(retryAfter === undefined ? {} : { retryAfter }) };
};

/** The initial URL of the receiver of an endpoint. */
export const receiverUrl = (endpoint: number): string => `https://receiver-${endpoint}.example/`;

/** The number of the endpoint of a receiver URL. */
export const endpointAt = (url: string): number => Number(/^https:\/\/receiver-(\d+)\./.exec(url)?.[1] ?? Number.NaN);

export interface NetworkDeps {
  readonly history: History;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly prng: Prng;
  readonly order: () => number;
}

/** The receivers of a history: each follows its script, then always responds with `afterwards`. */
export const createNetwork = ({ history, scheduler, faults, prng, order }: NetworkDeps) => {
  const posts: SentPost[] = [];
  const turns = history.endpoints.map(() => 0);
  let underWay = 0;

  const nextAnswer = (endpoint: number): ScriptedAnswer => {
    const turn = turns[endpoint] ?? 0;
    turns[endpoint] = turn + 1;
    const script = history.endpoints[endpoint];
    return script?.answers[turn] ?? script?.afterwards ?? { status: 200 };
  };

  const timeOf = (answer: ScriptedAnswer, endpoint: number, deadline: DurationMs): DurationMs => {
    if ('fails' in answer && (answer.fails === 'timeout' || answer.fails === 'never')) return deadline;
    return Math.min(prng.below((history.endpoints[endpoint]?.slowness ?? 0) + 1), deadline);
  };

  const note = (process: Process, { url, headers, body, deadline }: DeliveryRequest, at: EpochMs): SentPost => {
    const endpoint = endpointAt(url);
    const answer = nextAnswer(endpoint);
    const durationMs = timeOf(answer, endpoint, deadline);
    const outcome = outcomeOf(answer, durationMs);
    return {
      ...{ order: order(), at, wallAt: process.clock.now(), process: process.name, url, headers, body, deadline },
      ...{ until: at + durationMs, ...(outcome ? { outcome } : {}) },
    };
  };

  const senderOf = (
    process: Process,
    machine: number,
    { crash, pause }: Record<'crash' | 'pause', (length: DurationMs) => void>,
  ): Sender => ({
    // The start is recorded at the moment of the call: no process is suspended between its check of the lease and this.
    send: async (request) => {
      const post = note(process, request, scheduler.now());
      posts.push(post);
      underWay++;
      const { kind, length } = faults.take(machine, 'send') ?? { kind: 'none', length: 0 };
      if (kind === 'crash before') crash(length);
      if (kind === 'pause before') pause(length);
      const answered = process.clock.sleep(post.until - post.at, never);
      // After the process got the result, so no time leaps in between.
      scheduler.at(post.until, () => underWay--);
      await answered;
      if (kind === 'crash after') crash(length);
      if (kind === 'pause after') pause(length);
      if (kind.startsWith('crash') || kind.startsWith('pause')) await process.step();
      if (!post.outcome) return new Promise(() => undefined);
      post.learnedAt = scheduler.now();
      post.learnedOrder = order();
      return post.outcome;
    },
  });
  return { posts, senderOf, isQuiet: () => underWay === 0 };
};
