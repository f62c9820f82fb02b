import type { ServerResponse } from 'node:http';
import { createCertificateAuthority, type ReceivedRequest, startHttpsReceiver } from '@partnerkit/testing';
import type { Prng } from '../../../conformance/src/simulator/prng.ts';
import { deadline, maxInFlight, receiverHost, retries } from './platform.ts';
import { readWorkerHeaders, type SentBy } from './reports.ts';

/**
 * How an endpoint answers. `steady`: it confirms. `flaky`: it sometimes fails, never twice in a row, so that its
 * breaker stays closed. `stubborn`: it is flaky and slow, and never confirms a few of its events. `gone`: with 410.
 */
export type Manner = 'steady' | 'flaky' | 'stubborn' | 'gone';

/** A POST as it arrived. */
export interface ReceivedPost extends SentBy {
  readonly path: string;
  readonly eventId: string;
  readonly body: string;
}

export interface Receiver {
  readonly certificate: string;
  /** The URL of a new endpoint that answers in this manner. */
  urlOf(path: string, manner: Manner): string;
  readonly posts: readonly ReceivedPost[];
  /** More were in flight to one endpoint than may be. */
  readonly crowds: readonly string[];
  mostInFlight(): number;
  /** From now on nothing fails but events that failed before; and what is gone. */
  calmDown(): void;
  close(): Promise<void>;
}

interface Destination {
  readonly manner: Manner;
  hasFailed: boolean;
  /** Events that it never confirms, and how often the last of them arrived. */
  readonly refused: Set<string>;
  refusals: number;
  received: number;
  readonly inFlight: Set<SentBy>;
}

type Answer = { readonly status: number; readonly after: number } | 'reset' | 'none';

const now = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000;

/** A worker gives an attempt up at its deadline, and a worker without a lease has been stopped, or starved. */
const isOver = ({ startedAt, leaseUntil }: SentBy): boolean => now() > Math.min(startedAt + deadline, leaseUntil);

/** @param onAnswer - Called before the sender can know the answer. */
const send = (response: ServerResponse, answer: Answer, onAnswer: () => void): void => {
  response.on('close', onAnswer);
  if (answer === 'none') return;
  const after = answer === 'reset' ? 0 : answer.after;
  setTimeout(() => {
    onAnswer();
    if (answer === 'reset') response.destroy();
    else response.writeHead(answer.status).end();
  }, after);
};

/** @param isExempt - The worker was stopped: what it sends after its lease counts for nobody. */
export const startReceiver = async (prng: Prng, isExempt: (workerId: string) => boolean): Promise<Receiver> => {
  const destinations = new Map<string, Destination>();
  const posts: ReceivedPost[] = [];
  const crowds: string[] = [];
  /** Attempts whose connection was reset. */
  const resets = new Set<string>();
  let mostInFlight = 0;
  let isCalm = false;

  const fails = (): Answer => {
    const after = prng.below(40);
    const kinds: readonly Answer[] = [{ status: 500, after }, { status: 503, after }, 'reset', 'none'];
    return kinds[prng.below(kinds.length)] as Answer;
  };

  const answerOf = (to: Destination, eventId: string): Answer => {
    const usual = to.manner === 'stubborn' ? 150 + prng.below(200) : prng.below(40);
    const confirms: Answer = { status: 204, after: prng.chance(0.03) ? deadline / 2 : usual };
    if (to.manner === 'gone') return { status: 410, after: prng.below(40) };
    if (to.manner === 'steady') return confirms;
    if (to.refused.has(eventId)) {
      to.refusals++;
      to.hasFailed = true;
      return { status: 500, after: 0 };
    }
    const hasFailed = to.hasFailed;
    to.hasFailed = false;
    if (isCalm || hasFailed) return confirms;
    // One after the other, with successes between their attempts.
    if (to.manner === 'stubborn' && to.received % 20 === 1 && to.refusals >= to.refused.size * (retries.length + 1))
      to.refused.add(eventId);
    else if (!prng.chance(0.15)) return confirms;
    to.hasFailed = true;
    if (to.refused.has(eventId)) to.refusals++;
    return to.refused.has(eventId) ? { status: 500, after: 0 } : fails();
  };

  const noteInFlight = (path: string, to: Destination, by: SentBy): void => {
    for (const other of to.inFlight) if (isOver(other)) to.inFlight.delete(other);
    if (isExempt(by.workerId) || isOver(by)) return;
    to.inFlight.add(by);
    const counted = [...to.inFlight].filter(({ workerId }) => !isExempt(workerId));
    mostInFlight = Math.max(mostInFlight, counted.length);
    if (counted.length > maxInFlight) crowds.push(`${path}: ${counted.map(({ workerId }) => workerId).join(' ')}`);
  };

  const receive = ({ path, headers, body }: ReceivedRequest, response: ServerResponse): void => {
    const to = destinations.get(path);
    if (!to) throw new Error(`There is no endpoint ${path}.`);
    const by = readWorkerHeaders(headers);
    const [eventId = ''] = String(headers['webhook-id']).split('_');
    const attempt = `${path} ${eventId} ${by.workerId} ${by.startedAt}`;
    // What is reset on a connection that answered before comes once more within its attempt.
    const isSentAgain = resets.delete(attempt);
    if (!isSentAgain) posts.push({ ...by, path, eventId, body });
    to.received++;
    noteInFlight(path, to, by);
    const answer = answerOf(to, eventId);
    if (answer === 'reset' && !isSentAgain) resets.add(attempt);
    send(response, answer, () => to.inFlight.delete(by));
  };

  const authority = await createCertificateAuthority();
  const issued = await authority.issue({ names: [receiverHost] });
  const server = await startHttpsReceiver({ ...issued, answer: receive });
  return {
    certificate: authority.certificate,
    urlOf: (path, manner) => {
      const state = { hasFailed: false, refusals: 0, received: 0 };
      destinations.set(path, { manner, refused: new Set(), inFlight: new Set(), ...state });
      return `https://${receiverHost}:${server.port}${path}`;
    },
    posts,
    crowds,
    mostInFlight: () => mostInFlight,
    calmDown: () => {
      isCalm = true;
    },
    close: server.close,
  };
};
