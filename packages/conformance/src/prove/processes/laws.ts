import { parseEnvelope, signatureHeader, signingKey, verifySignature } from '@partnerkit/core/wire';
import { groupBy } from '../../node-20.ts';
import type { Trace } from '../../simulator/trace.ts';
import { describeBroken, unorderedObjects } from './books.ts';
import type { SaidTransaction } from './child.ts';
import type { PulledAccount } from './ledger.ts';
import type { SeenPost } from './receiver.ts';

/** An endpoint, with what its partner knows. */
export interface ProvedEndpoint {
  readonly accountId: string;
  readonly id: string;
  readonly path: string;
  readonly secret: string;
}

/** What the parent saw, and what is stored at the end. */
export interface ProcessEvidence extends Pick<Trace, 'events' | 'deliveries'> {
  readonly endpoints: readonly ProvedEndpoint[];
  /** In the order in which they were begun; one without an end was open when its process was killed. */
  readonly transactions: readonly SaidTransaction[];
  readonly posts: readonly SeenPost[];
  /** What programs that pull made of the events of each account. */
  readonly pulled: readonly PulledAccount[];
  /** The ids of the events that a handler in a transaction handled: one for each effect that was committed. */
  readonly effects: readonly string[];
  /** The idempotency keys with which a handler without a transaction was called. */
  readonly calls: readonly string[];
  /** How many workers were killed. */
  readonly killedWorkers: number;
}

/** An event by what its body says: no two have the same number. */
const numberOf = (body: string): number => Number(parseEnvelope(body)?.data['n'] ?? Number.NaN);

const numbersOf = ({ transactions }: ProcessEvidence, ends: readonly SaidTransaction['end'][]): ReadonlySet<number> =>
  new Set(transactions.filter(({ end }) => ends.includes(end)).flatMap(({ events }) => events.map(({ n }) => n)));

const postsByEvent = ({ posts }: ProcessEvidence) =>
  [...groupBy(posts, ({ path, body }) => `${path} ${numberOf(body)}`)].map(([name, all]) => ({ name, all }));

/** Each law returns what breaks it. */
export const processLaws: Readonly<Record<string, (evidence: ProcessEvidence) => readonly string[]>> = {
  'an event whose transaction committed arrives at each endpoint that selects it': (evidence) => {
    const { endpoints, posts, transactions } = evidence;
    const arrived = new Set(
      posts.filter(({ status }) => status === 204).map(({ path, body }) => `${path} ${numberOf(body)}`),
    );
    return transactions
      .filter(({ end }) => end === 'committed')
      .flatMap(({ events }) => events)
      .flatMap(({ accountId, n }) =>
        endpoints.filter((each) => each.accountId === accountId).map(({ path }) => `${path} ${n}`),
      )
      .filter((name) => !arrived.has(name));
  },
  'an event whose transaction was rolled back is never sent': (evidence) => {
    const sound = numbersOf(evidence, ['committed', 'open']);
    return evidence.posts.filter(({ body }) => !sound.has(numberOf(body))).map(({ path, body }) => `${path} ${body}`);
  },
  'a transaction whose process was killed stores all of its events, or none': ({ posts, transactions }) => {
    const arrived = new Set(posts.map(({ body }) => numberOf(body)));
    return transactions
      .filter(({ end }) => end === 'open')
      .filter(({ events }) => new Set(events.map(({ n }) => arrived.has(n))).size > 1)
      .map(({ events }) => events.map(({ n }) => n).join(', '));
  },
  'every delivery is delivered': ({ deliveries }) =>
    deliveries.filter(({ state }) => state !== 'delivered').map(({ id, state }) => `${id} is ${state}`),
  'all attempts of an event send the same bytes': (evidence) =>
    postsByEvent(evidence)
      .filter(({ all }) => new Set(all.map(({ body }) => body)).size > 1)
      .map(({ name }) => name),
  'every attempt is signed with the secret of its endpoint': ({ posts, endpoints }) => {
    const keys = new Map(endpoints.map(({ path, secret }) => [path, [signingKey(secret)] as const]));
    return posts
      .filter(
        ({ path, headers, body }) =>
          verifySignature(body, headers[signatureHeader]?.toString(), keys.get(path) ?? []) !== 'valid',
      )
      .map(({ path, body }) => `${path} ${body}`);
  },
  'two copies of a program that pulls handle each committed event once': (evidence) => {
    const committed = evidence.transactions.filter(({ end }) => end === 'committed').flatMap(({ events }) => events);
    const sound = numbersOf(evidence, ['committed', 'open']);
    return evidence.pulled.flatMap(({ accountId, bodies }) => {
      const handled = bodies.map(numberOf);
      const found = new Set<number>();
      const twice = handled.filter((n) => found.size === found.add(n).size).map((n) => `${n} was handled twice`);
      const unsound = handled.filter((n) => !sound.has(n)).map((n) => `${n} was rolled back`);
      const missing = committed.filter((each) => each.accountId === accountId && !found.has(each.n));
      return [...twice, ...unsound, ...missing.map(({ n }) => `${n} was not handled`)];
    });
  },
  'a program that pulls gets the bytes that are sent, and the events of an object in their order': (evidence) => {
    const sent = groupBy(evidence.posts, ({ body }) => numberOf(body));
    const pulled = evidence.pulled.flatMap(({ bodies }) => bodies);
    const others = pulled.filter((body) => sent.get(numberOf(body))?.every((post) => post.body !== body));
    const late = evidence.pulled.flatMap(({ bodies }) => {
      const last = new Map<string, number>();
      return bodies.filter((body) => {
        const { data, timestamp } = parseEnvelope(body) ?? { data: { id: '' }, timestamp: 0 };
        const before = last.get(data.id) ?? 0;
        last.set(data.id, timestamp);
        return timestamp < before;
      });
    });
    return [...others, ...late];
  },
  'the timestamps of one object strictly increase, in the order of its events': ({ posts }) => {
    const events = new Map(
      posts.flatMap(({ body }) => {
        const envelope = parseEnvelope(body);
        const n = numberOf(body);
        return envelope ? [[n, { object: envelope.data.id, n, timestamp: envelope.timestamp }] as const] : [];
      }),
    );
    return unorderedObjects(events.values());
  },
  'a confirmed attempt is made again only after its worker was killed': (evidence) =>
    postsByEvent(evidence)
      .filter(({ all }) => all.filter(({ status }) => status === 204).length > 1 + evidence.killedWorkers)
      .map(({ name }) => name),
  'a handler in a transaction has one effect of each stored event, and no other': ({ events, effects }) => {
    const left = new Set(events.map(({ id }) => id));
    const others = effects.filter((id) => !left.delete(id));
    return [...others.map((id) => `${id} has an effect too many`), ...[...left].map((id) => `${id} has no effect`)];
  },
  'a handler is called for each stored event with its key, and again only after its worker was killed': (evidence) => {
    const counts = new Map(evidence.events.map(({ id }) => [`${id}.processor`, 0]));
    const others = evidence.calls.filter((key) => !counts.has(key));
    for (const key of evidence.calls) counts.set(key, (counts.get(key) ?? 0) + 1);
    const wrong = [...counts].filter(([, count]) => count === 0 || count > 1 + evidence.killedWorkers);
    return [...others, ...wrong.map(([key, count]) => `${key}: ${count} calls`)];
  },
};

/** The broken laws, with a few examples of each. */
export const brokenProcessLaws = (evidence: ProcessEvidence): readonly string[] =>
  describeBroken(Object.fromEntries(Object.entries(processLaws).map(([law, check]) => [law, check(evidence)])));
