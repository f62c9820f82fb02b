import { setTimeout as after } from 'node:timers/promises';
import type { Storage } from '@partnerkit/core/adapter';
import { onTestFinished } from 'vitest';
import { readFeedCursor } from '../../../core/src/webhooks/feeds/feed-cursor.ts';
import { type Kit, openKit } from '../support/kit.ts';
import { loadAccounts } from '../support/load.ts';

interface Reader {
  readonly accountId: string;
  readonly endpointId: string;
  cursor: string | undefined;
  /** Ids of the events that its program has. */
  kept: string[];
}

const noSender = { send: () => Promise.reject(new Error('Readers send nothing.')) };

/** Adds a pull endpoint to each account that has the load. */
const addReaders = async ({ endpoints }: Kit): Promise<readonly Reader[]> => {
  const readers: Reader[] = [];
  for (const accountId of loadAccounts) {
    const created = await endpoints.create(accountId, { kind: 'pull', events: ['payed'] });
    if (created.isErr()) throw new Error(created.error.code);
    readers.push({ accountId, endpointId: created.value.endpoint.id, cursor: undefined, kept: [] });
  }
  return readers;
};

/** Programs of partners that follow a pull endpoint of each account, until they are finished or the test ends. */
export const startReaders = async (kit: Kit, storage: Storage<object>) => {
  const readers = await addReaders(kit);
  const { events } = openKit(storage, { sender: noSender });
  /** Answers other than a page. */
  const codes = new Map<string, number>();

  /** Reads a page. Resolves to whether there is more, or `undefined` if it failed. */
  const read = async (reader: Reader): Promise<boolean | undefined> => {
    const { accountId, endpointId, cursor } = reader;
    const pulled = await events.pull(accountId, endpointId, { after: cursor, limit: 100 });
    if (pulled.isOk()) {
      reader.kept.push(...pulled.value.items.map(({ id }) => id.split('_')[0] as string));
      reader.cursor = pulled.value.next;
      return pulled.value.hasMore;
    }
    const { code } = pulled.error;
    codes.set(code, (codes.get(code) ?? 0) + 1);
    if (!('resumeAfter' in pulled.error)) return undefined;
    // The program drops what the platform lost, and reads on.
    reader.cursor = pulled.error.resumeAfter;
    const [{ number }] = readFeedCursor(accountId, endpointId, reader.cursor)._unsafeUnwrap();
    reader.kept = reader.kept.slice(0, number);
    return true;
  };

  let isStopped = false;
  const reading = (async () => {
    while (!isStopped) {
      for (const reader of readers) await read(reader);
      await after(50);
    }
  })();
  const stop = async (): Promise<void> => {
    isStopped = true;
    await reading;
  };
  onTestFinished(stop);
  return {
    readers,
    codes,
    /** Resolves once each reader has read to the end. */
    finish: async (): Promise<void> => {
      await stop();
      for (const reader of readers) while ((await read(reader)) !== false);
    },
  };
};
export type Readers = Awaited<ReturnType<typeof startReaders>>;
