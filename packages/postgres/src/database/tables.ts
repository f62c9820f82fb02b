import { type Fragment, withSchema } from './statement.ts';

const names = [
  'attempts',
  'alert_addresses',
  'audit_chains',
  'audit_entries',
  'client_secrets',
  'client_usage',
  'clients',
  'dispatches',
  'endpoint_changes',
  'endpoint_history',
  'endpoint_versions',
  'endpoints',
  'events',
  'failed_hours',
  'feed_entries',
  'feeds',
  'handler_deliveries',
  'handlers',
  'health',
  'idempotency_keys',
  'idempotent_responses',
  'idle_workers',
  'inbox',
  'last_settlements',
  'migrations',
  'outbox',
  'parent_propagation',
  'pending',
  'request_due',
  'request_history',
  'request_references',
  'request_transactions',
  'requests',
  'revoked_tokens',
  'secret_ids',
  'seen_keys',
  'sending_pauses',
  'shards',
  'workers',
] as const;

type Tables = Readonly<Record<(typeof names)[number], Fragment>>;

/** The tables, in the schema of the database. */
export const t = Object.fromEntries(
  names.map((name) => [name, withSchema((schema) => `"${schema}".${name}`)]),
) as Tables;
