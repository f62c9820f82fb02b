/** What a request needs of its URL. */
export interface Target {
  readonly origin: string;
  readonly isHttps: boolean;
  /** With the query. */
  readonly path: string;
}

/**
 * Parses each URL once. Holds `maxTargets` of them and drops the oldest.
 * @throws TypeError for what is no URL.
 * @internal
 */
export const createTargetCache = (maxTargets = 10_000) => {
  const targets = new Map<string, Target>();

  return (url: string): Target => {
    const known = targets.get(url);
    if (known) return known;
    const { protocol, origin, pathname, search } = new URL(url);
    const target = { origin, isHttps: protocol === 'https:', path: pathname + search };
    const [oldest] = targets.size < maxTargets ? [] : targets.keys();
    if (oldest !== undefined) targets.delete(oldest);
    targets.set(url, target);
    return target;
  };
};
