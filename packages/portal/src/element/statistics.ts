import type { Attempt, Endpoint, EndpointStatistics } from './portal.ts';

/** Attempts in a span of time. @internal */
export interface Bar {
  /** Seconds since 1970. */
  readonly at: number;
  readonly succeeded: number;
  readonly failed: number;
}

type FailureCounts = EndpointStatistics['total']['failed'];

/** @internal */
export type FailureKind = keyof FailureCounts;

/** @internal */
export const isFailed = (attempt: Pick<Attempt, 'kind'> & { readonly status?: number }): boolean =>
  attempt.kind === 'failed' || attempt.status === undefined || attempt.status < 200 || attempt.status >= 300;

const failedIn = (failed: FailureCounts): number => Object.values(failed).reduce((sum, each) => sum + each, 0);

/** The buckets of several endpoints, added, oldest first. @internal */
export const barsOf = (all: readonly EndpointStatistics[]): readonly Bar[] => {
  const bars = new Map<number, Bar>();
  for (const { at, delivered, failed } of all.flatMap(({ buckets }) => buckets)) {
    const known = bars.get(at) ?? { at, succeeded: 0, failed: 0 };
    bars.set(at, { at, succeeded: known.succeeded + delivered, failed: known.failed + failedIn(failed) });
  }
  return [...bars.values()].toSorted((a, b) => a.at - b.at);
};

/** The sum of several endpoints, and the share that succeeded; no share without attempts. @internal */
export const totalOf = (all: readonly EndpointStatistics[]) => {
  const succeeded = all.reduce((sum, { total }) => sum + total.delivered, 0);
  const failed = all.reduce((sum, { total }) => sum + failedIn(total.failed), 0);
  return { succeeded, failed, share: succeeded + failed === 0 ? undefined : succeeded / (succeeded + failed) };
};

/** How often each kind of failure happened, the most frequent first. @internal */
export const failuresOf = ({ total: { failed } }: EndpointStatistics): readonly (readonly [FailureKind, number])[] =>
  (Object.entries(failed) as [FailureKind, number][]).filter(([, count]) => count > 0).toSorted((a, b) => b[1] - a[1]);

/** The endpoint whose slowest answers take longest. @internal */
export const slowestOf = (all: readonly EndpointStatistics[]): EndpointStatistics | undefined =>
  all.filter(({ durations }) => durations).toSorted((a, b) => (b.durations?.p90Ms ?? 0) - (a.durations?.p90Ms ?? 0))[0];

/** Why an endpoint that does not deliver failed last. `undefined`: it delivers, or somebody disabled it. @internal */
export const failureOfEndpoint = (
  { health }: Endpoint,
  statistics: EndpointStatistics | undefined,
): EndpointStatistics['last'] => {
  const last = statistics?.last;
  const isStopped = health.status === 'disabled' && health.disabledBy !== 'failing' && health.disabledBy !== 'gone';
  return last && isFailed(last) && health.status !== 'delivering' && !isStopped ? last : undefined;
};
