import type { ClientNews } from '../tokens/client-news.ts';

/**
 * News among the platforms of this process, in its memory: for tests. Holds the last `most` that were told, at least.
 * @public
 */
export const memoryClientNews = ({ most = 1_000 }: { readonly most?: number } = {}): ClientNews => {
  const told: string[] = [];
  let forgotten = 0;
  return {
    tell: async (subject) => {
      told.push(subject);
      if (told.length >= 2 * most) forgotten += told.splice(0, most).length;
    },
    since: async (mark) => {
      const place = Number(mark) - forgotten;
      return {
        mark: String(forgotten + told.length),
        subjects: place >= 0 && place <= told.length ? told.slice(place) : undefined,
      };
    },
  };
};
