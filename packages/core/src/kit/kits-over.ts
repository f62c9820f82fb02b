import { createRefusal } from '../api/operations/refusal.ts';
import { type AccountOf, routesByAccount } from '../api/partner/routes-by-account.ts';
import type { Route } from '../base/http/route.ts';
import { assertOptionNames } from '../base/runtime/option-names.ts';
import { systemClock, systemRandom } from '../base/runtime/system.ts';
import { isIdentifier } from '../base/runtime/text.ts';
import { type ErrorListener, safeListener } from '../base/signals/listener.ts';
import type { Storage } from '../stores/storage/storage.ts';
import { withClients } from '../stores/storage/with-clients.ts';
import type { Worker } from '../webhooks/worker/worker.ts';

/**
 * What {@link kitsOver} uses of each kit: what `createPartnerkit` returns, or an object of yours around it.
 * @public
 */
export interface PartKit {
  /** The routes of the partner API, with those of requests. */
  readonly routes: readonly Route[];
  /** Makes a worker. */
  worker(...options: never): Pick<Worker, 'start' | 'stop' | 'drain'>;
}

/** Storages that divide accounts among them. @public */
export interface DividedStorages<Tx extends object> {
  /** The storage of the clients of all accounts: a login names a client, not an account. */
  readonly clients: Storage<Tx>;
  /** The storages of everything else. Their number and order never change: they decide where an account is. */
  readonly storages: readonly Storage<Tx>[];
  /** Returns the place in `storages` of a root account, always the same. */
  placeOf(rootAccountId: string): number;
}

/** Options of {@link kitsOver}. @public */
export interface KitsOptions<Tx extends object, K extends PartKit> {
  /**
   * Finds the root of an account: its topmost parent, or itself. A parent and its children share a storage, so that a
   * parent receives the events of its children. `undefined`: there is no such account.
   */
  rootOf(accountId: string): Promise<string | undefined> | string | undefined;
  /** Makes the kit of a storage: with the same options for each. */
  open(storage: Storage<Tx>): K;
  /** Receives the cause when a route cannot find the kit of an account, and answers 503. @defaultValue nobody */
  readonly onError?: ErrorListener;
}

/** Kits that divide accounts among them. @public */
export interface Kits<K extends PartKit> {
  /** The kit of the storage of clients. It serves logins, and its worker tells of keys that end. */
  readonly clients: K;
  /** The kits of the accounts, in the order of their storages. */
  readonly all: readonly K[];
  /**
   * Finds the kit of an account, to publish its events and to manage its endpoints.
   * @throws RangeError when `rootOf` knows no such account.
   */
  of(accountId: string): Promise<K>;
  /** The routes of all kits: each request goes to the kit of the account in its path. */
  readonly routes: readonly Route[];
  /**
   * Makes further routes of all kits, such as those of the management API. `accountOf` finds the account of a request:
   * `kits.route((kit) => kit.managementRoutes({ authorize }), async (head) => (await authorize(head))?.accountId)`.
   * @throws TypeError when the kits have different routes.
   */
  route(routesOf: (kit: K) => readonly Route[], accountOf?: AccountOf): readonly Route[];
  /** Makes a worker of each kit; `start` and `stop` are those of all. */
  worker(...options: Parameters<K['worker']>): Pick<Worker, 'start' | 'stop' | 'drain'>;
}

const functions = ['rootOf', 'open'] as const;

/**
 * Divides accounts among several storages, such as databases or schemas of a cluster, behind one partner API.
 *
 * - A kit keeps rates and caches by itself: share counters by `shared.limiter`. A changed API key counts in the other
 *   kits within `oauth.revocationDelay`.
 * - The `tx` of a publish belongs to the storage of the account.
 * @example
 * const rootOf = async (accountId: string) => {
 *   const account = await organisations.byId(accountId);
 *   return account?.parentId ?? account?.id;
 * };
 * const storages = [memoryStorage(), memoryStorage()];
 * const divided = { clients: memoryStorage(), storages, placeOf: (rootId: string) => (rootId < 'm' ? 0 : 1) };
 * const kits = kitsOver(divided, { rootOf, open: (storage) => createPartnerkit({ ...options, storage }) });
 * await app.register(fastifyRoutes, { routes: kits.routes });
 * kits.worker().start();
 * const kit = await kits.of(accountId);
 * await kit.events.publish(event, { tx: 'new' });
 * @throws TypeError when an option is unknown or malformed, or the kits have different routes.
 * @public
 */
export const kitsOver = <Tx extends object, K extends PartKit>(
  divided: DividedStorages<Tx>,
  options: KitsOptions<Tx, K>,
): Kits<K> => {
  assertOptionNames('kitsOver', options, { rootOf: 'function', open: 'function', onError: 'function' });
  for (const name of functions)
    if (options[name] === undefined) throw new TypeError(`kitsOver: the option ${name} is missing.`);
  const { storages, placeOf } = divided;
  if (!Array.isArray(storages) || storages.length === 0)
    throw new TypeError('kitsOver: storages: a list of at least one storage.');
  const { rootOf, open } = options;
  const refuse = createRefusal({
    ...{ clock: systemClock, random: systemRandom, observe: () => undefined },
    reportError: safeListener(options.onError),
  });
  const all = storages.map((storage) => open(withClients(storage, divided.clients)));
  const clients = open(divided.clients);

  const kitAt = (rootId: string): number => {
    const place = placeOf(rootId);
    if (all[place] === undefined)
      throw new RangeError(`kitsOver: placeOf returned ${place}, and there are ${all.length} storages.`);
    return place;
  };
  const of: Kits<K>['of'] = async (accountId) => {
    const rootId = isIdentifier(accountId) ? await rootOf(accountId) : undefined;
    if (!isIdentifier(rootId)) throw new RangeError('kitsOver: rootOf knows no such account.');
    return all[kitAt(rootId)] as K;
  };
  /** An account without a root goes to some kit of accounts, which answers that it does not exist. */
  const kitOf = async (accountId: string): Promise<number> =>
    // The first kit is that of the clients.
    1 + kitAt((await rootOf(accountId)) ?? accountId);
  const route: Kits<K>['route'] = (routesOf, accountOf) =>
    routesByAccount([clients, ...all].map(routesOf), { kitOf, accountOf, refuse });

  return {
    clients,
    all,
    of,
    routes: route(({ routes }) => routes),
    route,
    worker: (...given) => {
      const workers = [clients, ...all].map((kit) => kit.worker(...(given as never)));
      return {
        start: () => {
          for (const worker of workers) worker.start();
        },
        drain: async () => {
          let attempts = 0;
          for (const worker of workers) attempts += await worker.drain();
          return attempts;
        },
        stop: async () => {
          const ends = await Promise.allSettled(workers.map((worker) => worker.stop()));
          const failed = ends.find((end) => end.status === 'rejected');
          if (failed) throw failed.reason;
        },
      };
    },
  };
};
