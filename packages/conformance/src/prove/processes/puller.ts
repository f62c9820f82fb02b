import { setTimeout as after } from 'node:timers/promises';
import { httpSender } from './http-sender.ts';
import { openKit, type SharedStorage } from './platform.ts';
import { say } from './task.ts';

/** A page that a puller read. Its parent stores it while the cursor is still that of the page. */
export interface SaidPage {
  readonly place: { readonly accountId: string; readonly endpointId: string; readonly after?: string };
  readonly bodies: readonly string[];
  readonly next: string;
}

/** Small, so that cursors end everywhere. */
const limit = 5;

/** Reads the page of a place, and says it; says nothing as long as there is none. */
export const createPuller = (storage: SharedStorage, port: number) => {
  const kit = openKit(storage, httpSender(port));
  return async (place: SaidPage['place']): Promise<void> => {
    for (;;) {
      const { accountId, endpointId, after: from } = place;
      const read = await kit.events.pull(accountId, endpointId, { after: from, limit });
      // The storage may be busy. Any other refusal ends this process, which its parent notices.
      if (read.isErr() && read.error.code !== 'unavailable') throw new Error(`${read.error.code} after ${from}`);
      if (read.isOk() && read.value.items.length > 0) {
        const { items, next } = read.value;
        say({ place, bodies: items.map(({ body }) => body), next } satisfies SaidPage);
        return;
      }
      await after(100);
    }
  };
};
