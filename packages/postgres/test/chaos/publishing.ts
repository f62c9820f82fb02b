import { setTimeout as after } from 'node:timers/promises';
import type pg from 'pg';
import type { Prng } from '../../../conformance/src/simulator/prng.ts';
import type { PgClient } from '../../src/index.ts';
import { accountIds, eventOf, hugeAccount, type openKit } from './platform.ts';

/** An event that was published. */
export interface PublishedEvent {
  readonly accountId: string;
  readonly objectId: string;
  readonly nth: number;
  /** `unknown`: the connection was lost while it was committed. */
  readonly outcome: 'committed' | 'rolled_back' | 'unknown';
  /** It was published after event `nth - 1` of its object was committed. */
  readonly isInTurn: boolean;
}

/** What tells an event from all others, also by its body. */
export const keyOf = ({ objectId, nth }: Pick<PublishedEvent, 'objectId' | 'nth'>): string => `${objectId} ${nth}`;

export interface Publishing {
  readonly published: readonly PublishedEvent[];
  committed(): number;
  /** Publishes many events of an account at once, each of another object. */
  flood(accountId: string): Promise<void>;
  /** Resolves when each publisher has ended what it began. */
  stop(): Promise<void>;
}

interface Options {
  readonly kit: ReturnType<typeof openKit<PgClient>>;
  readonly pool: pg.Pool;
  readonly prng: Prng;
  /** About so many: how fast it goes decides nothing. */
  readonly eventsPerSecond: number;
}

const lanes = 8;
const lateLanes = 3;
const burst = 8;
const flooding = 120;

/** Publishes until it is stopped, in lanes of which each publishes one event after the other. */
export const startPublishing = ({ kit, pool, prng, eventsPerSecond }: Options): Publishing => {
  const published: PublishedEvent[] = [];
  let isStopping = false;
  const pause = (mean: number): Promise<void> => after(prng.next() * 2 * mean);
  const pickAccount = (): string =>
    prng.chance(0.5) ? hugeAccount : (accountIds[1 + prng.below(accountIds.length - 1)] ?? '');

  const note = (events: readonly ReturnType<typeof eventOf>[], outcome: PublishedEvent['outcome'], isInTurn: boolean) =>
    published.push(
      ...events.map(({ accountId, data }) => ({ accountId, objectId: data.id, nth: data.nth, outcome, isInTurn })),
    );

  /** With an idempotency key it is published again until it is known that it was. */
  const publishOne = async (event: ReturnType<typeof eventOf>, idempotencyKey: string | undefined): Promise<void> => {
    for (;;) {
      const outcome = await kit.events.tryPublish(event, {
        tx: 'new',
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      });
      if (outcome.isErr() && outcome.error.code !== 'unavailable') throw new Error(outcome.error.code);
      if (outcome.isErr() && idempotencyKey !== undefined) {
        await after(100);
        continue;
      }
      note([event], outcome.isOk() ? 'committed' : 'unknown', true);
      return;
    }
  };

  const publishAll = async (events: readonly ReturnType<typeof eventOf>[]): Promise<void> => {
    const isCommitted = await kit.events.publishMany(events, { tx: 'new' }).then(
      () => true,
      () => false,
    );
    note(events, isCommitted ? 'committed' : 'unknown', true);
  };

  const publishInTurn = async (lane: number): Promise<void> => {
    const last = new Map<string, number>();
    for (let round = 0; !isStopping; round++) {
      await pause((1_000 * lanes) / eventsPerSecond);
      const accountId = pickAccount();
      if (prng.chance(0.01)) {
        const objectId = `${accountId}/burst-${lane}-${round}`;
        await publishAll(Array.from({ length: burst }, (_, index) => eventOf(accountId, objectId, index + 1)));
        continue;
      }
      const objectId = `${accountId}/${lane}-${prng.below(accountId === hugeAccount ? 8 : 2)}`;
      const nth = (last.get(objectId) ?? 0) + 1;
      last.set(objectId, nth);
      const event = eventOf(accountId, objectId, nth);
      await publishOne(event, lane % 2 === 0 ? keyOf({ objectId, nth }) : undefined);
    }
  };

  /**
   * In a transaction that ends seconds later: with its own objects, and with those that others publish events of
   * meanwhile.
   */
  const publishLate = async (lane: number, round: number): Promise<void> => {
    const events = Array.from({ length: 1 + prng.below(3) }, (_, index) => {
      const accountId = pickAccount();
      const objectId = prng.chance(0.5)
        ? `${accountId}/late-${lane}-${round}-${index}`
        : `${accountId}/${prng.below(lanes)}-0`;
      return eventOf(accountId, objectId, 1_000_000 + 10 * (lateLanes * round + lane) + index);
    });
    const isRolledBack = prng.chance(0.3);
    const wait = 200 + prng.below(4_000);
    let outcome: PublishedEvent['outcome'] = 'rolled_back';
    let lost: Error | undefined;
    const ignore = (): void => {};
    const client = await pool.connect();
    try {
      client.on('error', ignore);
      await client.query('begin');
      for (const event of events) await kit.events.publish(event, { tx: client });
      await after(wait);
      if (!isRolledBack) outcome = 'unknown';
      await client.query(isRolledBack ? 'rollback' : 'commit');
      if (!isRolledBack) outcome = 'committed';
    } catch (cause) {
      lost = cause instanceof Error ? cause : new Error(String(cause));
    }
    client.off('error', ignore);
    client.release(lost);
    note(events, outcome, false);
  };

  const publishSometimesLate = async (lane: number): Promise<void> => {
    for (let round = 0; !isStopping; round++) {
      // The server may be away.
      await publishLate(lane, round).catch(() => undefined);
      await pause(500);
    }
  };

  const publishing = Promise.all([
    ...Array.from({ length: lanes }, (_, lane) => publishInTurn(lane)),
    ...Array.from({ length: lateLanes }, (_, lane) => publishSometimesLate(lane)),
  ]);
  // Whoever stops them hears of it.
  publishing.catch(() => undefined);
  let floods = 0;
  return {
    published,
    flood: (accountId) => {
      const objectId = `${accountId}/flood-${floods++}`;
      return publishAll(Array.from({ length: flooding }, (_, index) => eventOf(accountId, `${objectId}-${index}`, 1)));
    },
    committed: () => published.filter(({ outcome }) => outcome === 'committed').length,
    stop: async () => {
      isStopping = true;
      await publishing;
    },
  };
};
