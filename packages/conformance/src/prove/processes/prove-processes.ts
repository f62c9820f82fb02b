import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { createPrng } from '../../simulator/prng.ts';
import { readEnd } from '../../simulator/read-end.ts';
import type { ChildTask, SaidReady, SaidTransaction } from './child.ts';
import { type Children, openChildren } from './children.ts';
import type { SaidCall, SaidWrite } from './handlers.ts';
import { httpSender } from './http-sender.ts';
import { brokenProcessLaws, type ProvedEndpoint, processLaws } from './laws.ts';
import { createLedger, type PartnerLedger } from './ledger.ts';
import {
  accountIds,
  effectsAccountId,
  openKit,
  openStorage,
  pathsOf,
  type SharedStorage,
  type StoragePlace,
} from './platform.ts';
import type { SaidPage } from './puller.ts';
import { startPartner } from './receiver.ts';

type Said = SaidTransaction | SaidPage | SaidCall | SaidWrite | SaidReady;

export interface ProveProcessesOptions {
  /** Draws what is killed, and which attempts fail. */
  readonly seed: number;
  /** For how long processes are killed. */
  readonly seconds: number;
  /** The file of the command that runs a child. */
  readonly command: string;
  /** The module that opens a file of SQLite. @defaultValue `@partnerkit/sqlite` */
  readonly sqlite?: string;
  /** An empty storage instead of a file of SQLite. @defaultValue none */
  readonly storage?: StoragePlace;
  /** Called when the last process was killed: what is unfinished is then delivered. */
  readonly onCalm?: () => void;
}

export interface ProvedProcesses {
  /** The laws that the run was checked against. */
  readonly laws: number;
  readonly killedWorkers: number;
  readonly killedPublishers: number;
  readonly killedPullers: number;
  readonly committed: number;
  readonly rolledBack: number;
  /** Transactions that were open when their process was killed. */
  readonly interrupted: number;
  readonly deliveries: number;
  readonly attempts: number;
  readonly failedAttempts: number;
  /** Attempts that were repeated because their worker was killed before it stored the outcome. */
  readonly repeated: number;
  /** Events that handlers handled in a transaction. */
  readonly effects: number;
  /** Calls of a handler without a transaction. */
  readonly calls: number;
  /** The broken laws. Absent: none. */
  readonly broken?: readonly string[];
}

/** How many publish at the same time. */
const publishing = 8;
/**
 * A shard of a killed worker is taken over within 20 seconds, and its claims end within 25. A failed attempt is
 * repeated within 5; a handler that failed twice, within 5 minutes and 30 seconds.
 */
const longestPause = 400_000;

const createEndpoints = async (storage: SharedStorage, port: number): Promise<readonly ProvedEndpoint[]> => {
  const { endpoints } = openKit(storage, httpSender(port));
  const made: ProvedEndpoint[] = [];
  for (const accountId of accountIds)
    for (const path of pathsOf(accountId)) {
      const created = await endpoints.create(accountId, { url: `https://partner.example${path}`, events: ['payed'] });
      if (created.isErr()) throw new Error(created.error.message);
      made.push({ accountId, path, id: created.value.endpoint.id, secret: created.value.secret });
    }
  return made;
};

const createPulled = async (storage: SharedStorage, port: number) => {
  const { endpoints } = openKit(storage, httpSender(port));
  const made: { accountId: string; id: string }[] = [];
  for (const accountId of accountIds) {
    const created = await endpoints.create(accountId, { kind: 'pull', events: ['payed'] });
    if (created.isErr()) throw new Error(created.error.message);
    made.push({ accountId, id: created.value.endpoint.id });
  }
  return made;
};

const isFinished = async (storage: SharedStorage): Promise<boolean> => {
  const { undispatched, waiting } = await storage.log.countBacklog();
  const handlers = await storage.handlers.listHandlers();
  return undispatched + waiting + handlers.reduce((sum, handler) => sum + handler.waiting, 0) === 0;
};

/** Waits until nothing is unfinished. Returns `false` when nothing was attempted for too long. */
const finish = async (storage: SharedStorage, seenOf: () => number): Promise<boolean> => {
  for (let seen = seenOf(), since = Date.now(); ; ) {
    if (await isFinished(storage)) return true;
    if (seenOf() > seen) [seen, since] = [seenOf(), Date.now()];
    else if (Date.now() - since > longestPause) return false;
    await after(250);
  }
};

/** Waits until the program that pulls has all stored events. Returns `false` when it got none for too long. */
const pullAll = async ({ accounts }: PartnerLedger, events: number): Promise<boolean> => {
  const count = () => accounts.reduce((sum, { bodies }) => sum + bodies.length, 0);
  for (let seen = count(), since = Date.now(); count() < events; ) {
    if (count() > seen) [seen, since] = [count(), Date.now()];
    else if (Date.now() - since > longestPause / 6) return false;
    await after(50);
  }
  return true;
};

/** Kills a process that is ready now and then, and starts another one at once. */
const killFor = async (
  children: Children<ChildTask>,
  isReady: (task: ChildTask) => boolean,
  start: (role: ChildTask['role']) => void,
  seed: number,
  ends: number,
) => {
  const prng = createPrng(seed);
  while (Date.now() < ends) {
    await after(Math.min(1_000 + prng.below(3_000), Math.max(ends - Date.now(), 0)));
    const role = prng.chance(0.4) ? 'worker' : prng.chance(0.5) ? 'publisher' : 'puller';
    const oldest = children.living.find(({ task }) => task.role === role);
    if (oldest && !isReady(oldest.task)) continue;
    await children.kill(role);
    start(role);
  }
};

/**
 * Runs a platform of several processes on one storage (by default, a file of SQLite), kills its processes with
 * `kill -9` at random moments, and checks what the partner received and what is stored.
 * @throws NoStorage when there is no SQLite.
 */
export const proveProcesses = async ({
  seed,
  seconds,
  command,
  sqlite = '@partnerkit/sqlite',
  storage: place,
  onCalm,
}: ProveProcessesOptions): Promise<ProvedProcesses> => {
  const folder = await mkdtemp(join(tmpdir(), 'partnerkit-prove-'));
  const shared = place ?? { at: join(folder, 'platform.db'), module: sqlite };
  const partner = await startPartner(createPrng(seed));
  const transactions: SaidTransaction[] = [];
  /** The place of the transaction that a publisher began last. */
  const begun = new Map<ChildTask, number>();
  const calls: string[] = [];
  let writes = 0;
  let ledger: PartnerLedger = createLedger([]);
  const ready = new Set<ChildTask>();
  const hear = (said: Said, task: ChildTask): void => {
    if ('isReady' in said) {
      ready.add(task);
      return;
    }
    if ('place' in said) {
      const place = ledger.take(said);
      children.living.find((child) => child.task === task)?.tell(place);
      return;
    }
    if ('wrote' in said) {
      writes++;
      return;
    }
    if ('called' in said) {
      calls.push(said.called);
      return;
    }
    if (said.end === 'open') begun.set(task, transactions.push(said) - 1);
    else transactions[begun.get(task) ?? -1] = said;
  };
  const children = openChildren<ChildTask, Said>({ command, hear });
  try {
    const storage = await openStorage(shared);
    const endpoints = await createEndpoints(storage, partner.port);
    ledger = createLedger(await createPulled(storage, partner.port));
    let publishers = 0;
    let workers = 0;
    const start = (role: ChildTask['role']): void => {
      const first = role === 'publisher' ? 1_000_000 * ++publishers : 0;
      // Every third worker lacks the code.
      const hasHandlers = role === 'worker' && ++workers % 3 !== 0;
      const child = children.start({ role, storage: shared, port: partner.port, first, hasHandlers });
      if (role === 'puller') for (const place of ledger.places()) child.tell(place);
    };
    start('worker');
    start('worker');
    for (let started = 0; started < publishing; started++) start('publisher');
    start('puller');
    start('puller');
    await killFor(children, (task) => ready.has(task), start, seed, Date.now() + 1_000 * seconds);
    while (children.living.some(({ task }) => task.role === 'publisher')) await children.kill('publisher');
    partner.calmDown();
    onCalm?.();
    if (!children.living.some(({ task }) => task.hasHandlers)) start('worker');
    const isDone = await finish(storage, () => partner.posts.length + calls.length + writes);
    const end = await readEnd(storage, accountIds);
    const effects = (await readEnd(storage, [effectsAccountId])).events.map(({ objectId }) => objectId);
    const isPulled = await pullAll(ledger, end.events.length);
    await children.killAll();
    const { posts } = partner;
    const { unexpected } = children;
    const killedWorkers = children.killed('worker');
    storage.close();
    const broken = [
      ...brokenProcessLaws({
        ...{ ...end, endpoints, transactions, posts, killedWorkers, effects, calls },
        pulled: ledger.accounts,
      }),
      ...(isDone ? [] : [`deliveries are unfinished, and nothing was attempted for ${longestPause / 1_000} seconds`]),
      ...(isPulled ? [] : ['events were pulled no more']),
      ...unexpected,
    ];
    const countOf = (wanted: (typeof transactions)[number]['end']): number =>
      transactions.filter(({ end }) => end === wanted).flatMap(({ events }) => events).length;
    const confirmed = posts.filter(({ status }) => status === 204).length;
    return {
      laws: Object.keys(processLaws).length,
      killedWorkers,
      killedPublishers: children.killed('publisher'),
      killedPullers: children.killed('puller'),
      ...{ committed: countOf('committed'), rolledBack: countOf('rolled_back'), interrupted: countOf('open') },
      deliveries: end.deliveries.length,
      attempts: posts.length,
      failedAttempts: posts.length - confirmed,
      repeated: confirmed - end.deliveries.length,
      ...{ effects: effects.length, calls: calls.length },
      ...(broken.length === 0 ? {} : { broken }),
    };
  } finally {
    await children.killAll();
    await partner.close();
    await rm(folder, { recursive: true, force: true });
  }
};
