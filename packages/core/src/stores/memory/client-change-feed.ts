import type { ClientChangeFeed } from '../../access/clients/client-change-feed.ts';

/**
 * A change feed between the kits of this process, in its memory. For tests. Stores at least the last `maxAnnounced`
 * changes.
 * @example
 * const changeFeed = memoryClientChangeFeed();
 * const kits = [1, 2].map(() => createPartnerkit({ ...options, shared: { changeFeed } }));
 * @public
 */
export const memoryClientChangeFeed = ({
  maxAnnounced = 1_000,
}: {
  /** Minimum number of stored changes. @defaultValue 1000 */
  readonly maxAnnounced?: number;
} = {}): ClientChangeFeed => {
  const announcements: string[] = [];
  let forgotten = 0;
  return {
    announce: async (subject) => {
      announcements.push(subject);
      if (announcements.length >= 2 * maxAnnounced) forgotten += announcements.splice(0, maxAnnounced).length;
    },
    changesSince: async (cursor) => {
      const from = Number(cursor) - forgotten;
      return {
        cursor: String(forgotten + announcements.length),
        subjects: from >= 0 && from <= announcements.length ? announcements.slice(from) : undefined,
      };
    },
  };
};
