import type { Storage } from '@partnerkit/core/adapter';
import type { History } from './history.ts';
import type { Kit } from './host.ts';
import type { TracedReader } from './trace.ts';

type Pull = TracedReader['pulls'][number];

interface Reader {
  readonly accountId: string;
  readonly endpointId: string;
  readonly limit: number;
  readonly pulls: Pull[];
  cursor: string | undefined;
}

interface ReadersDeps<Tx extends object> {
  readonly history: History;
  readonly accountIds: readonly string[];
  /** The kit of the host, if it is up. */
  readonly kit: () => Kit<Tx> | undefined;
  /** Waits a second: what failed may be cached as long. */
  readonly pause: () => Promise<void>;
}

/** More pages than any feed has. */
const maxPages = 200;

/** Programs of partners that read pull endpoints; each keeps its cursor. */
export const createReaders = <Tx extends object>({ history, accountIds, kit, pause }: ReadersDeps<Tx>) => {
  const scripts = history.readers ?? [];
  const readers: Reader[] = [];

  /** Reads a page. Resolves to whether the reader goes on at once. */
  const read = async (reader: Reader, forgets: boolean): Promise<boolean> => {
    const { accountId, endpointId, limit, pulls, cursor: after } = reader;
    const pulled = await kit()?.events.pull(accountId, endpointId, { after, limit });
    if (!pulled) return false;
    const note = (page: Pull['page']) => pulls.push({ ...(after === undefined ? {} : { after }), page });
    if (pulled.isOk()) {
      note(pulled.value);
      if (!forgets) reader.cursor = pulled.value.next;
      return pulled.value.hasMore;
    }
    note(pulled.error.code);
    if (!('resumeAfter' in pulled.error)) {
      await pause();
      return pulled.error.code === 'unavailable';
    }
    reader.cursor = pulled.error.resumeAfter;
    return true;
  };

  return {
    create: async (): Promise<void> => {
      for (const { account, events, includeChildren, limit } of scripts) {
        const accountId = accountIds[account % accountIds.length] as string;
        const made = await kit()?.endpoints.create(accountId, { kind: 'pull', events, includeChildren });
        if (!made?.isOk()) throw new Error('The pull endpoint was refused.');
        readers.push({ accountId, endpointId: made.value.endpoint.id, limit, pulls: [], cursor: undefined });
      }
    },
    read: async (number: number, forgets: boolean): Promise<void> => {
      const reader = readers[number];
      if (reader) await read(reader, forgets);
    },
    /** Every reader reads to the end. */
    finish: async (): Promise<void> => {
      for (const reader of readers) for (let pages = 0; pages < maxPages && (await read(reader, false)); pages++);
    },
    traced: ({ feeds }: Storage<Tx>): Promise<readonly TracedReader[]> =>
      Promise.all(
        readers.map(async ({ accountId, endpointId, pulls }) => {
          const feed = await feeds.readFeed(accountId, endpointId, { limit: 10_000, maxLength: 2 ** 30, places: [] });
          if (!feed) throw new Error('The feed is gone.');
          return { accountId, endpointId, pulls, feed };
        }),
      ),
  };
};
