import type { DeliveryLog } from '../../../webhooks/log/delivery-log.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { health } from '../tables/endpoints.ts';

type Read = Parameters<DeliveryLog['readFailing']>;

/** Reads a page of the endpoints that fail; those that fail too briefly are left out. */
export function* readFailing(
  rows: RowTx,
  failingFor: Read[0],
  { after, limit }: Read[1],
): Plan<Awaited<ReturnType<DeliveryLog['readFailing']>>> {
  const latest = (yield* rows.now()) - failingFor;
  const bounds = after ? { after: [after.accountId, after.endpointId] as const } : {};
  const found = yield* rows.scan(health, 'all', [{ prefix: [], ...bounds }], { limit });
  const last = found.length === limit ? found.at(-1) : undefined;
  return {
    endpoints: found.flatMap(({ accountId, endpointId, failures, failingSince, openCount, lastFailure }) =>
      openCount > 0 && failingSince <= latest
        ? [{ accountId, endpointId, failures, failingSince, ...(lastFailure ? { lastFailure } : {}) }]
        : [],
    ),
    ...(last ? { next: { accountId: last.accountId, endpointId: last.endpointId } } : {}),
  };
}
