/** The parts of a URL that a request needs. */
export interface Target {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Whether the scheme is https. */
  readonly isHttps: boolean;
  /** Path and query. */
  readonly path: string;
}

/**
 * Caches parsed URLs, at most `maxTargets`; it evicts the oldest.
 * @throws TypeError when the text is not a URL.
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
