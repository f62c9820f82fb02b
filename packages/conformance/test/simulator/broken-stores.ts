import type { Clock, Storage } from '@partnerkit/core/adapter';
import { memoryStorage } from '@partnerkit/core/memory';
import { brokenAnnouncedStores } from './broken-announced.ts';
import { brokenDispatch } from './broken-dispatch.ts';
import { brokenFeeds } from './broken-feeds.ts';
import { brokenLog } from './broken-log.ts';
import { brokenSending } from './broken-sending.ts';
import { brokenSettling } from './broken-settling.ts';
import { brokenShards } from './broken-shards.ts';
import type { BrokenStore } from './broken-store.ts';
import { brokenTrail } from './broken-trail.ts';

export const brokenStores: readonly BrokenStore[] = [
  ...brokenShards,
  ...brokenDispatch,
  ...brokenAnnouncedStores,
  ...brokenSettling,
  ...brokenLog,
  ...brokenFeeds,
  ...brokenTrail,
  ...brokenSending,
];

/** Memory storage with one thing wrong. */
export const brokenStorage =
  ({ break: change }: BrokenStore) =>
  (clock: Clock): Storage<never> =>
    change(memoryStorage({ clock }), clock) as unknown as Storage<never>;
