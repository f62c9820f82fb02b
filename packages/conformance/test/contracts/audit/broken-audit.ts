import type { AuditEntry, NewAuditEntry } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../../../src/contracts/index.ts';
import { breakPort, clocks, type Double } from '../support/doubles.ts';

const broken = breakPort('audit');
const onClients = breakPort('clients');
const onEndpoints = breakPort('endpoints');
const onDeliveries = breakPort('deliveries');
const onHandlers = breakPort('handlers');

const read = 'an entry is read as it was stored';
const timed = clocks("the time of an entry is that of the store's clock");
const known = 'an entry with a stored id is left out, and its change is made';
const linked = 'entries are linked after the last place of their chain, and only there';
const nothing = 'nothing is linked that has a link, or does not exist';
const raced = 'of simultaneous links of one place, one is stored';
const pruned = 'old linked entries are deleted from the start of the chain, with their deliveries';
const handled = 'a handler gets a delivery of each entry that it selects, with the envelope of the entry';
const made = 'a change that is made writes its entry';
const refused = 'a change that is not made writes no entry';

const listing = (how: string, breaks: Double<StorageFixture>['breaks'], change: (entry: AuditEntry) => AuditEntry) =>
  broken(how, breaks, ({ listEntries }) => ({
    listEntries: async (...args) => {
      const page = await listEntries(...args);
      return { ...page, items: page.items.map(change) };
    },
  }));

/** Writes the entry of a change whether or not it is made, in a transaction of its own. */
const always = async <T>(
  { storage }: StorageFixture,
  audit: NewAuditEntry | undefined,
  change: () => Promise<T>,
): Promise<T> => {
  await storage.clients.revokeToken('other', 4_102_444_800, audit);
  return change();
};

/** Stores that lose entries, write those of changes that were not made, or break their chain. */
export const brokenAudit: readonly Double<StorageFixture>[] = [
  listing('the request of an entry is lost', [read], ({ requestId: _lost, ...entry }) => entry),
  listing('the order of names in data is kept, its values are not', [read], (entry) => ({ ...entry, data: {} })),
  listing('the time is that of the process', [...timed] as never, (entry) => ({ ...entry, at: Date.now() })),
  onClients(
    'no client writes an entry',
    [`insertClient: ${made}`, `replaceClient: ${made}`, `deleteClient: ${made}`],
    (clients) => ({
      insertClient: (client) => clients.insertClient(client),
      replaceClient: (client) => clients.replaceClient(client),
      deleteClient: (client) => clients.deleteClient(client),
    }),
  ),
  onEndpoints(
    'no endpoint writes an entry',
    [
      ...([`insertEndpoint: ${made}`, `replaceEndpoint: ${made}`, `resumeEndpoint: ${made}`] as const),
      ...[`deleteEndpoint: ${made}`, 'the entry of a new endpoint is in the transaction that it joins'],
    ],
    (endpoints) => ({
      insertEndpoint: (endpoint, max, tx) => endpoints.insertEndpoint(endpoint, max, tx),
      replaceEndpoint: (endpoint) => endpoints.replaceEndpoint(endpoint),
      resumeEndpoint: (...args) => endpoints.resumeEndpoint(args[0], args[1], args[2]),
      deleteEndpoint: (accountId, id) => endpoints.deleteEndpoint(accountId, id),
    }),
  ),
  {
    how: 'an entry is written before its change',
    breaks: [
      ...([`insertClient: ${refused}`, `replaceClient: ${refused}`, `deleteClient: ${refused}`] as const),
      ...[`insertEndpoint: ${refused}`, `replaceEndpoint: ${refused}`, `resumeEndpoint: ${refused}`],
      ...[`deleteEndpoint: ${refused}`, 'of simultaneous changes of one version, one writes its entry'],
    ],
    make: (fixture) => {
      const { clients, endpoints } = fixture.storage;
      return {
        ...fixture,
        storage: {
          ...fixture.storage,
          clients: {
            ...clients,
            insertClient: (client, audit) => always(fixture, audit, () => clients.insertClient(client)),
            replaceClient: (client, audit) => always(fixture, audit, () => clients.replaceClient(client)),
            deleteClient: (client, audit) => always(fixture, audit, () => clients.deleteClient(client)),
          },
          endpoints: {
            ...endpoints,
            insertEndpoint: (endpoint, max, tx, audit) =>
              always(fixture, audit, () => endpoints.insertEndpoint(endpoint, max, tx)),
            replaceEndpoint: (endpoint, audit) => always(fixture, audit, () => endpoints.replaceEndpoint(endpoint)),
            resumeEndpoint: (accountId, id, version, audit) =>
              always(fixture, audit, () => endpoints.resumeEndpoint(accountId, id, version)),
            deleteEndpoint: (accountId, id, audit) =>
              always(fixture, audit, () => endpoints.deleteEndpoint(accountId, id)),
          },
        },
      };
    },
  },
  broken(
    'an open transaction that told of an account keeps others from it',
    ['open transactions that write entries of the same account do not wait for each other'],
    ({ tell }) => {
      const locks = new Map<string, object>();
      return {
        tell: async (entries, tx) => {
          for (const { accountId } of tx ? entries : []) {
            if (tx && (locks.get(accountId) ?? tx) !== tx) throw new Error('could not obtain lock on row');
            if (tx) locks.set(accountId, tx);
          }
          return tell(entries, tx);
        },
      };
    },
  ),
  onClients('a stored id fails the change', [known], (clients) => {
    const ids = new Set<string>();
    return {
      insertClient: async (client, audit) => {
        if (audit && audit.subjectId === 'other') throw new Error('The id exists.');
        if (audit) ids.add(audit.id);
        await clients.insertClient(client, audit);
      },
    };
  }),
  onDeliveries(
    'changes of health write no entry',
    [
      'a change of health writes its entry if the health is stored',
      'an endpoint that is disabled by rule has its entry, and one that is not has none',
    ],
    ({ settle }) => ({
      settle: (workerId, settlement, version) =>
        settle(
          workerId,
          { ...settlement, transitions: settlement.transitions.map(({ audit: _none, ...rest }) => rest) },
          version,
        ),
    }),
  ),
  onHandlers('handlers are told of no entry', [handled], ({ claim }) => ({
    claim: async (...args) => (await claim(...args)).filter(({ event }) => event.objectName !== 'Operations'),
  })),
  onHandlers(
    'a handler that is not registered is told once it is',
    ['a handler that is not registered gets none'],
    ({ claim }) => ({
      claim: async (handler, ...rest) => {
        const claimed = await claim(handler, ...rest);
        return claimed.length > 0
          ? claimed
          : [{ accountId: 'a', eventId: 'b', handler, attempts: 1, dueAt: 0, event: {} as never }];
      },
    }),
  ),
  broken(
    'a list has one page',
    [
      'the entries of all accounts are listed, and a malformed cursor is told',
      'entries are listed to their own account only, page by page, each once',
    ],
    ({ listEntries }) => ({
      listEntries: async (...args) => {
        const { next: _none, ...page } = await listEntries(...args);
        return page;
      },
    }),
  ),
  broken(
    'a page is as long as it likes',
    ['entries: a page has the requested number of rows, 50 by default, 100 at most'],
    ({ listEntries }) => ({ listEntries: (accountId, page) => listEntries(accountId, { ...page, limit: 7 }) }),
  ),
  broken('entries are linked anywhere', [linked, raced], ({ link, readChains }) => ({
    link: async (shard, last, entries) => {
      let isLinked = await link(shard, last, entries);
      for (let tries = 0; !isLinked && tries < 9; tries++)
        isLinked = await link(shard, (await readChains([shard]))[0]?.last ?? last, entries);
      return isLinked;
    },
  })),
  broken('what cannot be linked is left out', [nothing], ({ link, readUnlinked }) => ({
    link: async (shard, last, entries) => {
      const there = new Set((await readUnlinked(shard, 100)).map(({ id }) => id));
      const left = entries.filter(({ id }) => there.has(id));
      return left.length > 0 && link(shard, last, left);
    },
  })),
  broken('all old entries are deleted at once, and none is told', [pruned], ({ pruneEntries }) => ({
    pruneEntries: async (shard, age) => {
      await pruneEntries(shard, age, 1_000);
      return false;
    },
  })),
];
