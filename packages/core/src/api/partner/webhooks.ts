import type { Route } from '../../base/http/route.ts';
import { type BindDeps, bindOperation } from '../management/bind.ts';
import type { KeyRow } from '../management/operation.ts';
import { accountPath } from '../management/shared-operations.ts';
import type { KeyOperation } from '../operations/operation.ts';
import type { ServeAccount } from './account-route.ts';
import type { Reached } from './caller.ts';
import { type PullOperationDeps, pullOperation } from './pull.ts';

/** What the routes call. */
export interface WebhookRouteDeps extends BindDeps, PullOperationDeps {
  readonly serve: ServeAccount;
  /** The operations of the management API on webhooks. */
  readonly rows: readonly KeyRow[];
}

const ofEndpoints = /^\/endpoints(?=\/|$)/;

/**
 * Where a client finds what a session finds at `path`: `/endpoints/…` at `/webhooks/…`, and `/events` at
 * `/webhook-events`, because what follows `/webhooks/` is the id of an endpoint.
 */
const pathOf = (path: string): `/${string}` =>
  `${accountPath}${ofEndpoints.test(path) ? path.replace(ofEndpoints, '/webhooks') : `/webhook-${path.slice(1)}`}`;

/** The routes by which clients manage the webhooks of the account of the path (specification §6.1). */
export const webhookRoutes = ({ serve, rows, pull, waits, clock, ...deps }: WebhookRouteDeps): readonly Route[] => {
  const bind = bindOperation<Reached>(deps, ({ account, client }) => ({
    accountId: account.id,
    actor: { type: 'client', id: client.id },
  }));
  return [
    ...rows.map((row) => serve({ ...bind(row), right: row.right, path: pathOf(row.path) }, undefined)),
    serve(pullOperation({ pull, waits, clock }) as KeyOperation<Reached>, undefined),
  ];
};
