import { sized } from '../../../../tools/tests/effort.ts';
import { createPrng } from '../../../conformance/src/simulator/prng.ts';
import { dedupKey, type Envelope, signBody, signingKey } from '../../src/index.ts';
import { startHerd } from './herd.ts';
import { secret } from './secret.ts';
import type { Posted, ReceiverTask } from './serve.ts';

const receivers = sized(3, 10);
const deliveries = sized(2_000, 50_000);
/** How many processes are killed. */
export const kills = sized(5, 20);
/** Between two of them leases lapse. */
const rounds = 4;

/** What a platform does to receivers. */
export interface Experiment<T extends ReceiverTask> {
  /** The file that runs a receiver, and its task. */
  readonly command: string;
  readonly task: Omit<T, 'role' | 'nth'>;
  readonly seed: number;
  /** Lets the leases lapse of whoever is dead; nobody is at work meanwhile. */
  readonly elapse: () => Promise<void>;
  /** Called after each kill, under load. */
  readonly onKill?: () => void;
}

/** How it went. */
export interface Sent {
  /** The deduplication keys of all events. */
  readonly keys: readonly string[];
  /** How many processes were killed. They are the oldest, numbered from 0. */
  readonly killed: number;
  /** How often each status was answered. */
  readonly answers: ReadonlyMap<number, number>;
  /** So many posts were never answered: their process died of the kill. */
  readonly lost: number;
}

const eventAt = (place: number): Envelope => ({
  timestamp: 1_795_000_000 + place,
  data: { id: `pay_${place}` },
  objectName: 'RequestPayment',
  type: 'payed',
});

/**
 * Sends every event twice, in an order that the seed decides, to ten processes that are killed one after the other, and
 * sends again, as a platform would, what was not answered with 204.
 */
export const sendTwice = async <T extends ReceiverTask>({
  command,
  task,
  seed,
  elapse,
  onKill,
}: Experiment<T>): Promise<Sent> => {
  const prng = createPrng(seed);
  const key = signingKey(secret);
  const events = Array.from({ length: deliveries }, (_, place) => eventAt(place));
  const posts = events.map((event) => JSON.stringify(event)).map((body) => ({ body, signature: signBody(key, body) }));
  const postAt = (id: number): Posted => ({ id, ...(posts[id % deliveries] as (typeof posts)[number]) });
  const shuffled = (ids: readonly number[]): number[] =>
    ids
      .map((id) => [prng.next(), id] as const)
      .sort(([a], [b]) => a - b)
      .map(([, id]) => id);

  const killEvery = Math.floor((2 * deliveries) / (kills + 1));
  const answers = new Map<number, number>();
  let confirmed = 0;
  let waiting: number[] = [];
  let busy: number[] = [];
  let unanswered = 0;
  let lost = 0;
  let round = Promise.withResolvers<void>();

  const sendMore = (): void => {
    for (let id = waiting.at(-1); id !== undefined && herd.send(postAt(id)); id = waiting.at(-1)) {
      waiting.pop();
      unanswered++;
    }
    if (unanswered === 0) round.resolve();
  };
  const herd = startHerd<T>(
    receivers,
    { command, task },
    {
      onAnswer: (id, status) => {
        unanswered--;
        answers.set(status, (answers.get(status) ?? 0) + 1);
        if (status === 409) busy.push(id);
        else if (status !== 204) waiting.unshift(id);
        else if (++confirmed % killEvery === 0 && herd.killed() < kills) {
          herd.replaceOldest();
          onKill?.();
        }
        sendMore();
      },
      onLost: (id) => {
        lost++;
        unanswered--;
        waiting.unshift(id);
        sendMore();
      },
    },
  );
  /** Resolves once all of these were answered, if only that they are being processed. */
  const send = async (ids: readonly number[]): Promise<void> => {
    [waiting, busy, round] = [shuffled([...busy, ...ids]), [], Promise.withResolvers()];
    sendMore();
    await round.promise;
    await elapse();
  };

  const order = shuffled(Array.from({ length: 2 * deliveries }, (_, id) => id));
  const share = order.length / rounds;
  for (let from = 0; from < order.length; from += share) await send(order.slice(from, from + share));
  while (busy.length > 0) await send([]);
  const unexpected = await herd.stop();
  if (unexpected.length > 0) throw new Error(unexpected.join('; '));
  return { keys: events.map(dedupKey), killed: herd.killed(), answers, lost };
};
