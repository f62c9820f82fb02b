-- Tables of partnerkit. Tables of accounts have the account in their key, so that they can be distributed by account.
-- There are no functions and no triggers: the package contains all logic.

-- Clients and endpoints are also found by id alone: a login does not name its account.
create table partnerkit.clients (
  account_id text collate "C" not null,
  id text collate "C" not null,           -- a UUID; that of an imported client is any visible ASCII
  name text not null,
  rights text,                             -- what it may do, with blanks between; null: everything
  children text,                           -- the only children that it reaches, one a line; null: all
  networks text,                           -- where it is used from, with blanks between; null: anywhere
  expires_at timestamptz,                  -- its end
  jwks json,                               -- public keys of its logins (RFC 7517 §5); null: none
  created_at timestamptz not null,
  disabled boolean not null,
  tokens_not_before bigint not null,
  version integer not null,
  last_refused_at timestamptz,             -- the last refused login, to the minute
  last_refusal text,                       -- why
  primary key (account_id, id)
);
create unique index clients_id on partnerkit.clients (id);

create table partnerkit.client_secrets (
  account_id text collate "C" not null,
  client_id text collate "C" not null,
  id text collate "C" not null,
  position smallint not null,
  label text,
  digest text not null,
  origin text,                             -- imported: of another form; legacy: verified by the host
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked boolean not null,
  last_used_at timestamptz,
  primary key (account_id, client_id, id),
  foreign key (account_id, client_id) references partnerkit.clients on delete cascade
);

-- A client that stops calling keeps its last days.
create table partnerkit.client_usage (
  client_id text collate "C" not null references partnerkit.clients (id) on delete cascade,
  date date not null,                      -- in UTC
  calls bigint not null,
  last_call_at timestamptz not null,
  last_refused_at timestamptz,             -- the last refused call
  last_refusal text,                       -- why
  primary key (client_id, date)
);

-- The audit trail: an entry for each change of an API key or endpoint and each pause, written in its transaction.
create table partnerkit.audit_entries (
  id uuid primary key,
  account_id text collate "C" not null,
  shard smallint not null,
  at float8 not null,                      -- when it was stored
  type text not null,                      -- what happened
  subject_id text not null,                -- the API key, endpoint or account
  actor json not null,                     -- who did it
  request_id text,                         -- the HTTP request that did it
  data json not null,                      -- what changed; no secrets
  mac text not null,                       -- HMAC of the columns above, without "at"
  state text not null,                     -- new: waits for its link; linked
  position bigint not null,                -- the place in the chain of its shard; 0 while new
  link text not null                       -- HMAC of the entry and the link before it; empty while new
);
create index audit_entries_account on partnerkit.audit_entries (account_id, id);
create index audit_entries_new on partnerkit.audit_entries (shard) where state = 'new';
create unique index audit_entries_linked on partnerkit.audit_entries (shard, position) where state = 'linked';

-- The ends of the chain of each shard with entries: the last linked entry, and the last deleted one.
create table partnerkit.audit_chains (
  shard smallint primary key,
  position bigint not null,
  link text not null,
  pruned_position bigint not null,
  pruned_link text not null
);

create table partnerkit.revoked_tokens (
  jti text collate "C" primary key,
  expires_at timestamptz not null
);
create index revoked_tokens_expires_at on partnerkit.revoked_tokens (expires_at);

create table partnerkit.endpoints (
  account_id text collate "C" not null,
  id uuid not null,
  kind text not null,                      -- push, pull
  reference text,                          -- its id in the system that it was imported from
  url text,                                -- null: it is pulled
  events text[] not null,
  state text not null,                     -- enabled, disabled, disabled_by_breaker
  state_since timestamptz not null,
  disabled_by text,                        -- why it was last disabled: host, gone, failing; by its partner: null
  label text,
  standard_webhooks boolean not null,
  profile text,                            -- how its requests look; null: as those of the kit
  include_children boolean not null,
  created_at timestamptz not null,
  secret text,                             -- null: it is pulled
  next_secret text,
  activate_next_at timestamptz,
  delivery_header_name text,
  delivery_header_value text,
  version integer not null,
  primary key (account_id, id)
);
create unique index endpoints_id on partnerkit.endpoints (id);

-- Past configurations of endpoints: they explain why an event was not sent to one.
create table partnerkit.endpoint_history (
  account_id text collate "C" not null,
  endpoint_id uuid not null,
  since timestamptz not null,
  until timestamptz not null,
  is_first boolean not null,
  state text not null,
  events text[] not null,
  include_children boolean not null,
  disabled_by text,                        -- partner, host, gone, failing
  primary key (account_id, endpoint_id, since)
);
create index endpoint_history_until on partnerkit.endpoint_history (until);

-- Failures of enabled endpoints. An endpoint that does not fail has no row.
create table partnerkit.health (
  account_id text collate "C" not null,
  endpoint_id uuid not null,
  failures integer not null,
  failing_since timestamptz not null,
  is_exhausted boolean not null,
  open_count integer not null,
  open_until timestamptz not null,
  retry_after_until timestamptz not null,
  last_failure json,                       -- of the last failed attempt: objectName, type, eventId, outcome
  primary key (account_id, endpoint_id)
);

-- Delivery. An account belongs to one of 128 shards, a shard to at most one worker: only its owner changes its rows.
--
--   publish           inserts into events and outbox
--   dispatch          deletes the row of outbox and inserts into dispatches, with timestamp and endpoints
--   settle            inserts into attempts; an unfinished delivery gets a row in pending

create table partnerkit.workers (
  id text collate "C" primary key,
  expires_at timestamptz not null,
  is_stopping boolean not null default false
);

-- The last settlement of a worker, before which none is missing. A settlement that was given up may be stored late: it
-- changes nothing.
create table partnerkit.last_settlements (
  worker_id text collate "C" primary key references partnerkit.workers on delete cascade,
  number bigint not null
) with (fillfactor = 20);

create table partnerkit.shards (
  shard smallint primary key,
  owner text collate "C",                  -- id of workers; a shard whose owner was deleted is free
  is_recovered boolean not null default false, -- by its owner: it has what the last one had in memory
  watermark timestamptz not null,         -- events dispatched before are settled or pending
  pruned_timestamp bigint                     -- the largest timestamp of a pruned event
) with (fillfactor = 20);
insert into partnerkit.shards (shard, watermark) select shard, to_timestamp(0) from generate_series(0, 127) shard;

-- The version of the last change of the endpoints of a shard's accounts. A change locks the shard's row first.
create table partnerkit.endpoint_versions (
  shard smallint primary key,
  version bigint not null
) with (fillfactor = 20);
insert into partnerkit.endpoint_versions (shard, version) select shard, 0 from generate_series(0, 127) shard;

-- The last version, in one row. A change locks it last, so that versions are committed in their order.
create table partnerkit.endpoint_changes (
  id smallint primary key,
  version bigint not null,
  include_children integer not null        -- endpoints with include_children that their partner has not disabled
) with (fillfactor = 20);
insert into partnerkit.endpoint_changes values (0, 0, 0);

-- Ids of the secrets of the platform, as JSON, in one row: the last one in use first. They disclose nothing.
create table partnerkit.secret_ids (
  id smallint primary key,
  ids text not null
);
insert into partnerkit.secret_ids values (0, '[]');

-- Processes with an idle worker. Publishing notifies only while there is one.
create unlogged table partnerkit.idle_workers (
  id uuid primary key,
  expires_at timestamptz not null
);

-- Events, written once.
create table partnerkit.events (
  account_id text collate "C" not null,
  id uuid not null,
  object_name text not null,
  object_id text collate "C" not null,
  type text not null,
  occurred_at timestamptz,
  stored_at timestamptz not null,
  idempotency_key text,
  body_tail text not null,
  trace_context text,
  only_to uuid,                            -- test events: their only endpoint
  origin text collate "C",                 -- copies for a parent: the child account
  primary key (account_id, id)
);

-- Committed events that are not dispatched, in order of position.
create table partnerkit.outbox (
  position bigint generated always as identity,
  object_hash bigint not null,
  event_id uuid not null,
  shard smallint not null,
  account_id text collate "C" not null,
  primary key (shard, account_id, position)
);

-- Dispatches of events. Never updated.
create table partnerkit.dispatches (
  position bigint generated always as identity, -- increases in the order of dispatch of an account
  dispatched_at timestamptz not null,
  timestamp bigint not null,
  object_hash bigint not null,             -- 7 bytes of SHA-256 over account and object, and the shard
  event_id uuid not null,
  shard smallint not null,
  account_id text collate "C" not null,
  endpoints uuid[] not null,
  primary key (account_id, event_id),
  -- No two events of one object share a timestamp: receivers deduplicate by it.
  constraint dispatches_timestamp unique (object_hash, timestamp)
);
create index dispatches_dispatched_at on partnerkit.dispatches (shard, dispatched_at);

-- The log of deliveries. The last row of a finished delivery has its state: delivered, exhausted, expired.
-- A row with the reason endpoint_deleted or held_too_long is no attempt. Rows are deleted with their event.
create table partnerkit.attempts (
  account_id text collate "C" not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  replay smallint not null,
  number smallint not null,
  at timestamptz not null,
  duration_ms double precision not null,
  status smallint,
  reason text,
  retry_after text,
  body text,
  state text,
  primary key (account_id, event_id, endpoint_id, replay, number)
);
create index attempts_exhausted on partnerkit.attempts (account_id, event_id, endpoint_id, replay)
  where state = 'exhausted';
create index attempts_failed on partnerkit.attempts (account_id, endpoint_id, event_id)
  where state in ('exhausted', 'expired');

-- Unfinished deliveries, except those that wait in their owner's memory for the first attempt. A delivery is held while
-- its endpoint is disabled, and expires when its endpoint is deleted.
create table partnerkit.pending (
  account_id text collate "C" not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  replay smallint not null,                -- 0; from 1 for a repeated delivery
  shard smallint not null,
  state text not null,                     -- scheduled until due_at; queued until its endpoint has capacity
  due_at timestamptz not null,
  attempts smallint not null,              -- attempts that count
  logged smallint not null,                -- the largest number in attempts; 0 for none
  is_abandoned boolean not null,           -- a dead worker may have attempted it
  is_urgent boolean not null,              -- its next attempt is made while the breaker pauses the endpoint
  since timestamptz not null,              -- when it was stored, or last attempted
  primary key (account_id, event_id, endpoint_id, replay)
);
create index pending_scheduled on partnerkit.pending (shard, due_at) where state = 'scheduled';
create index pending_endpoint on partnerkit.pending (shard, account_id, endpoint_id, state, due_at, event_id, replay);
create index pending_attempts on partnerkit.pending (shard, account_id, endpoint_id, attempts desc, due_at)
  where state = 'queued' and attempts > 0;
create index pending_since on partnerkit.pending (shard, since);

-- Failed deliveries of an endpoint in an hour, until their number is told. The hour is its start in milliseconds.
create table partnerkit.failed_hours (
  hour float8 not null,
  account_id text collate "C" not null,
  endpoint_id uuid not null,
  state text collate "C" not null,         -- exhausted, expired
  deliveries integer not null,
  primary key (hour, account_id, endpoint_id, state)
);

-- Dispatched events to copy to the parent of their account, in order of position.
create table partnerkit.parent_propagation (
  account_id text collate "C" not null,
  shard smallint not null,
  position bigint generated always as identity,
  event_id uuid not null,
  object_name text not null,
  type text not null,
  primary key (shard, account_id, position)
);
create index parent_propagation_event on partnerkit.parent_propagation (event_id);

-- Feeds of pull endpoints. Numbers are of entries; 0 is none. Who gives numbers locks the row until the commit, so that
-- they are committed in their order.
create table partnerkit.feeds (
  account_id text collate "C" not null,
  endpoint_id uuid not null,
  last bigint not null default 0,
  pruned bigint not null default 0,        -- the last deleted entry: all later ones are stored
  pruned_event uuid,
  asked bigint,                            -- the last noted cursor
  asked_at timestamptz,
  primary key (account_id, endpoint_id)
) with (fillfactor = 20);

-- The events of feeds. Deleted with their event.
create table partnerkit.feed_entries (
  number bigint not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  account_id text collate "C" not null,
  primary key (account_id, event_id, endpoint_id),
  constraint feed_entries_number unique (account_id, endpoint_id, number)
);

-- Handlers of the host. A backfill goes through past events, shard by shard in the order of dispatch.
create table partnerkit.handlers (
  name text collate "C" primary key,
  events text[] not null,
  registered_at float8 not null,
  seen_at float8 not null,                 -- when a worker last had it
  since float8,                            -- the first event that it gets; null: none of before
  backfill_shard smallint,                 -- null: it has all
  backfill_after timestamptz
);

-- Deliveries to handlers. Deleted with their event.
create table partnerkit.handler_deliveries (
  account_id text collate "C" not null,
  event_id uuid not null,
  handler text collate "C" not null,
  state text not null,                     -- waiting; ready: due, and takes turns with other accounts; handled, exhausted
  due_at float8 not null,                  -- after a claim: when it can be claimed again
  attempts smallint not null,              -- claims since it was made or sent again
  log jsonb not null,
  primary key (account_id, event_id, handler)
);
create index handler_deliveries_due on partnerkit.handler_deliveries (handler, due_at) where state = 'waiting';
create index handler_deliveries_turns on partnerkit.handler_deliveries (handler, account_id, due_at) where state = 'ready';
create index handler_deliveries_exhausted on partnerkit.handler_deliveries (handler, event_id) where state = 'exhausted';

-- The e-mail addresses that accounts named for alerts.
create table partnerkit.alert_addresses (
  account_id text collate "C" primary key,
  address text not null
);

-- Pauses of sending. An empty text stands for all accounts, and for all endpoints of the account.
create table partnerkit.sending_pauses (
  account_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  since float8 not null,
  actor json not null,                     -- who began it
  primary key (account_id, endpoint_id)
);

create table partnerkit.idempotency_keys (
  account_id text collate "C" not null,
  key text collate "C" not null,
  event_id uuid not null,
  content text not null,
  expires_at timestamptz not null,
  primary key (account_id, key)
);
create index idempotency_keys_expires_at on partnerkit.idempotency_keys (expires_at);

-- Queue tables are vacuumed often, whatever their size.
alter table partnerkit.outbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
alter table partnerkit.parent_propagation set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
alter table partnerkit.handler_deliveries set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000);
alter table partnerkit.pending set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000);

-- Receivers: keys that were processed, or are in progress under a lease.
create table partnerkit.seen_keys (
  key text collate "C" primary key,
  lease uuid,
  expires_at timestamptz not null,
  timestamp bigint                         -- of an object: that of its newest processed event
);
create index seen_keys_expires_at on partnerkit.seen_keys (expires_at);

-- Receivers: webhooks to process, and keys of processed ones. "at" is when an entry is due, was dead-lettered, or is
-- deleted.
create table partnerkit.inbox (
  key text collate "C" primary key,
  state text not null,                     -- waiting, dead_lettered, done
  at timestamptz not null,
  attempts integer not null,
  lease uuid,
  body text not null,
  timestamp bigint                         -- of an object: that of its newest processed event
);
create index inbox_at on partnerkit.inbox (state, at);
alter table partnerkit.inbox set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000);

-- Payment requests, security deposits, cash-outs and templates. Searched fields have a column; record has all, as JSON.
create table partnerkit.requests (
  kind text collate "C" not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  environment text collate "C" not null,
  status text collate "C" not null,
  reference text collate "C",
  recipient_email text collate "C",        -- in lower case
  parent_id text collate "C",              -- the template of a request, or the deposit of a cash-out
  created_at float8 not null,
  updated_at float8 not null,
  version integer not null,
  record text not null,
  primary key (kind, id)
);
-- A list without a filter merges the rows of each status. Each index is partial, by a condition that its list's
-- statement has: even with wrong statistics, the planner has no other index of the same columns to choose.
create index requests_status_created
  on partnerkit.requests (account_id, environment, kind, status, created_at, id)
  where created_at >= 0;
create index requests_status_updated
  on partnerkit.requests (account_id, environment, kind, status, updated_at, id)
  where updated_at >= 0;
create index requests_email_created
  on partnerkit.requests (account_id, environment, kind, recipient_email, created_at, id)
  where created_at >= 0 and recipient_email is not null;
create index requests_email_updated
  on partnerkit.requests (account_id, environment, kind, recipient_email, updated_at, id)
  where updated_at >= 0 and recipient_email is not null;
create index requests_reference_created
  on partnerkit.requests (account_id, environment, kind, reference, created_at, id)
  where created_at >= 0 and reference is not null;
create index requests_reference_updated
  on partnerkit.requests (account_id, environment, kind, reference, updated_at, id)
  where updated_at >= 0 and reference is not null;
create index requests_parent_created
  on partnerkit.requests (account_id, environment, kind, parent_id, created_at, id)
  where created_at >= 0 and parent_id is not null;
create index requests_parent_updated
  on partnerkit.requests (account_id, environment, kind, parent_id, updated_at, id)
  where updated_at >= 0 and parent_id is not null;

-- The history of these objects. Never updated; deleted with the object.
create table partnerkit.request_history (
  kind text collate "C" not null,
  id text collate "C" not null,
  version integer not null,
  step integer not null,                   -- 0: the command; 1: a rule that followed from it
  entry text not null,
  primary key (kind, id, version, step)
);

-- The transactions of payment requests and security deposits. Never updated. reference: the processor's, else the id.
create table partnerkit.request_transactions (
  account_id text collate "C" not null,
  environment text collate "C" not null,
  kind text collate "C" not null,
  reference text collate "C" not null,     -- the processor's, else the id
  number integer not null,                 -- counts those of the reference from 1
  id text collate "C" not null,
  object text collate "C" not null,
  object_id text collate "C" not null,
  settled_at float8 not null,
  status text collate "C" not null,
  currency text collate "C" not null,
  amount bigint not null,                  -- in the smallest unit of the currency
  fee bigint not null,
  transaction text not null,
  primary key (account_id, environment, kind, reference, number)
);
-- The sums of a period read this index alone.
create index request_transactions_settled
  on partnerkit.request_transactions (account_id, environment, settled_at, id)
  include (status, kind, currency, amount, fee);
create index request_transactions_object
  on partnerkit.request_transactions (account_id, environment, object, object_id, settled_at, id);

-- References in use, for hosts with unique references.
create table partnerkit.request_references (
  account_id text collate "C" not null,
  environment text collate "C" not null,
  object text collate "C" not null,
  reference text collate "C" not null,
  object_id text collate "C" not null,
  primary key (account_id, environment, object, reference)
);

-- The commands that objects wait for: a rule gives each when it is due. Times are in milliseconds since 1970.
create table partnerkit.request_due (
  kind text collate "C" not null,
  id text collate "C" not null,
  name text collate "C" not null,          -- the rule
  account_id text collate "C" not null,
  environment text collate "C" not null,
  due_at float8 not null,
  claimable_at float8 not null,            -- later than due_at after a claim
  attempts integer not null,               -- claims since it was planned
  is_reminder boolean not null,            -- of one account, deadlines come first
  is_ready boolean not null,               -- due, and takes turns with those of other accounts
  primary key (kind, id, name)
);
create index request_due_claimable_at on partnerkit.request_due (claimable_at) where not is_ready;
create index request_due_turns on partnerkit.request_due (account_id, environment, is_reminder, claimable_at)
  where is_ready;
alter table partnerkit.request_due set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000);

-- Responses to requests with an idempotency key. Null until the transaction that claimed the key stores one.
create table partnerkit.idempotent_responses (
  account_id text collate "C" not null,
  client_id text collate "C" not null,
  key text collate "C" not null,
  response text,
  expires_at timestamptz not null,
  primary key (account_id, client_id, key)
);
create index idempotent_responses_expires_at on partnerkit.idempotent_responses (expires_at);
