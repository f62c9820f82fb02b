import type { EpochMs } from '@partnerkit/core';
import type { Endpoint } from '@partnerkit/core/adapter';
import type { Call, Trace } from '../trace.ts';

/** The version of an endpoint from a moment on. */
export interface EndpointVersion {
  readonly from: EpochMs;
  readonly order: number;
  /** Absent once it was deleted. */
  readonly endpoint?: Endpoint;
  /** Whether the breaker changed it; otherwise its owner did. */
  readonly isBreaker: boolean;
}

/** The stored versions of each push endpoint, in order. Pull endpoints never change. */
export const readEndpointVersions = (effects: Trace['calls']): ReadonlyMap<string, readonly EndpointVersion[]> => {
  const versions = new Map<string, EndpointVersion[]>();
  const add = (id: string, call: Call, endpoint: Endpoint | undefined, isBreaker: boolean): void => {
    const version = { from: call.effectAt ?? 0, order: call.order ?? 0, isBreaker, ...(endpoint ? { endpoint } : {}) };
    const known = versions.get(id);
    if (known) known.push(version);
    else versions.set(id, [version]);
  };
  const disable = (call: Call<'deliveries.settle'>): void => {
    if (call.result === 'fenced') return;
    call.result?.transitions.forEach(({ isDisabled }, index) => {
      const id = call.args[1].transitions[index]?.endpointId;
      const before = id === undefined ? undefined : versions.get(id)?.at(-1)?.endpoint;
      if (!isDisabled || id === undefined || !before) return;
      add(id, call, { ...before, state: 'disabled_by_breaker', version: before.version + 1 }, true);
    });
  };
  for (const call of effects) {
    if (call.name === 'deliveries.settle') disable(call as Call<'deliveries.settle'>);
    if (call.result !== true) continue;
    if (call.name === 'endpoints.insertEndpoint') {
      const [endpoint] = (call as Call<'endpoints.insertEndpoint'>).args;
      if (endpoint.kind === 'push') add(endpoint.id, call, endpoint, false);
    } else if (call.name === 'endpoints.replaceEndpoint') {
      const [endpoint] = (call as Call<'endpoints.replaceEndpoint'>).args;
      add(endpoint.id, call, endpoint, false);
    } else if (call.name === 'endpoints.resumeEndpoint') {
      const [, endpointId, version] = (call as Call<'endpoints.resumeEndpoint'>).args;
      const before = versions.get(endpointId)?.at(-1)?.endpoint;
      if (before) add(endpointId, call, { ...before, version: version + 1 }, false);
    } else if (call.name === 'endpoints.deleteEndpoint') {
      const [, endpointId] = (call as Call<'endpoints.deleteEndpoint'>).args;
      add(endpointId, call, undefined, false);
    }
  }
  return versions;
};

/** The versions of an endpoint during that time. */
export const versionsBetween = (
  versions: readonly EndpointVersion[],
  from: EpochMs,
  to: EpochMs,
): readonly EndpointVersion[] =>
  versions.filter(
    (version, index) => version.from <= to && (versions[index + 1]?.from ?? Number.POSITIVE_INFINITY) >= from,
  );
