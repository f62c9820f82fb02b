import { setTimeout as after } from 'node:timers/promises';
import { createPrng } from '../../simulator/prng.ts';
import { provedHandlers } from './handlers.ts';
import { httpSender } from './http-sender.ts';
import { accountIds, openKit, openStorage, type SharedStorage, type StoragePlace } from './platform.ts';
import { createPuller, type SaidPage } from './puller.ts';
import { readTask, say } from './task.ts';

/** What a child does. */
export interface ChildTask {
  readonly role: 'worker' | 'publisher' | 'puller';
  readonly storage: StoragePlace;
  readonly port: number;
  /** The publisher draws with it, and numbers its events from it. */
  readonly first: number;
  /** Whether a worker has the code of the handlers: in a rolling deployment, some have not. */
  readonly hasHandlers: boolean;
}

/** A transaction of a publisher: said when it begins, and when it ended. */
export interface SaidTransaction {
  readonly events: readonly { readonly accountId: string; readonly objectId: string; readonly n: number }[];
  readonly end: 'open' | 'committed' | 'rolled_back';
}

/** What a process says once its storage is open: only then is it killed, however slow its machine is. */
export interface SaidReady {
  readonly isReady: true;
}

const tell = (said: SaidTransaction): void => say(said);

/**
 * The objects change with every 100 events. A fast machine publishes more than one event a second for each: with the
 * same objects for the whole run, their timestamps would run ahead of the clock, and deliveries would wait.
 */
const objectOf = (accountId: string, n: number, drawn: number): string =>
  `${accountId}/${Math.floor(n / 100)}/${drawn}`;

const publish = async (storage: SharedStorage, { port, first }: ChildTask): Promise<void> => {
  const kit = openKit(storage, httpSender(port));
  const prng = createPrng(first);
  for (let n = first; ; ) {
    const events = Array.from({ length: 1 + prng.below(3) }, () => {
      const accountId = accountIds[prng.below(accountIds.length)] as string;
      return { accountId, objectId: objectOf(accountId, n, prng.below(5)), n: n++ };
    });
    const isRolledBack = prng.chance(0.2);
    tell({ events, end: 'open' });
    const end = await storage
      .transaction(async (tx) => {
        for (const { accountId, objectId, n } of events)
          await kit.events.publish(
            { accountId, objectName: 'RequestPayment', type: 'payed', data: { id: objectId, n } },
            { tx },
          );
        await after(prng.below(5));
        if (isRolledBack) throw new Error('rolled back');
      })
      .then(
        () => 'committed' as const,
        (cause: Error) => (cause.message === 'rolled back' ? ('rolled_back' as const) : 'open'),
      );
    if (end !== 'open') tell({ events, end });
    // Several publish at once.
    await after(prng.below(160));
  }
};

/** Does the task of this process until it ends: its parent kills it, or ends itself. */
export const runChild = async (): Promise<void> => {
  const places: SaidPage['place'][] = [];
  let pull = async (place: SaidPage['place']): Promise<void> => void places.push(place);
  const task = readTask<ChildTask, SaidPage['place']>((place) => void pull(place));
  const storage = await openStorage(task.storage);
  say({ isReady: true } satisfies SaidReady);
  if (task.role === 'publisher') return publish(storage, task);
  if (task.role === 'puller') {
    pull = createPuller(storage, task.port);
    await Promise.all(places.map(pull));
    return;
  }
  const kit = openKit(storage, httpSender(task.port));
  kit.worker({ pollEvery: 50, ...(task.hasHandlers ? { handlers: provedHandlers(kit) } : {}) }).start();
};
