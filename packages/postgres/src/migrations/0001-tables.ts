/**
 * Every key starts with the account, so the same tables divide by account over many databases. Clients and endpoints are found by their
 * ids too: a login does not know its account.
 *
 * A delivery stands in exactly one table: `queue` (due), `later` (due at a time), `leases` (being attempted), `parked` (held or
 * expired), or `attempts` (its last one, which has a `state`). So the tables that workers search hold only what is to be sent.
 *
 * @internal
 */
export const tables = `
create table partnerkit.clients (
  account_id text collate "C" not null,
  id uuid not null,
  name text not null,
  created_at timestamptz not null,
  disabled boolean not null,
  tokens_not_before bigint not null,
  version integer not null,
  primary key (account_id, id)
);
create unique index clients_id on partnerkit.clients (id);

create table partnerkit.client_secrets (
  account_id text collate "C" not null,
  client_id uuid not null,
  id text collate "C" not null,
  place smallint not null,
  label text,
  digest text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked boolean not null,
  last_used_at timestamptz,
  primary key (account_id, client_id, id),
  foreign key (account_id, client_id) references partnerkit.clients on delete cascade
);

create table partnerkit.revoked_tokens (
  jti text collate "C" primary key,
  expires_at timestamptz not null
);
create index revoked_tokens_expires_at on partnerkit.revoked_tokens (expires_at);

create table partnerkit.endpoints (
  account_id text collate "C" not null,
  id uuid not null,
  url text not null,
  events text[] not null,
  state text not null,
  label text,
  standard_webhooks boolean not null,
  include_children boolean not null,
  created_at timestamptz not null,
  secret text not null,
  next_secret text,
  activate_next_at timestamptz,
  api_key_header text,
  api_key_value text,
  -- Why the breaker disabled it, the last time that it did.
  disabled_by text,
  version integer not null,
  primary key (account_id, id)
);
create unique index endpoints_id on partnerkit.endpoints (id);
-- Whether any takes the events of children.
create index endpoints_children on partnerkit.endpoints (account_id) where include_children and state <> 'disabled';

-- How endpoints stood, from when to when: why an event was not sent to one.
create table partnerkit.endpoint_history (
  account_id text collate "C" not null,
  endpoint_id uuid not null,
  since timestamptz not null,
  until timestamptz not null,
  first boolean not null,
  state text not null,
  events text[] not null,
  include_children boolean not null,
  disabled_by text,
  primary key (account_id, endpoint_id, since)
);
create index endpoint_history_until on partnerkit.endpoint_history (until);

-- How enabled endpoints fail, as \`Health\` of core has it. Those that do not fail have no row.
create table partnerkit.health (
  account_id text collate "C" not null,
  endpoint_id uuid not null,
  failures integer not null,
  since timestamptz not null,
  exhausted boolean not null,
  openings integer not null,
  open_until timestamptz not null,
  asked_until timestamptz not null,
  primary key (account_id, endpoint_id)
);

-- Committed events that were not dispatched yet. \`place\` is their order.
create table partnerkit.outbox (
  account_id text collate "C" not null,
  id uuid not null,
  place bigint generated always as identity,
  object_name text not null,
  object_id text collate "C" not null,
  type text not null,
  occurred_at timestamptz,
  stored_at timestamptz not null,
  idempotency_key text,
  rest text not null,
  trace_context text,
  -- The one endpoint that a test event is for.
  only_to uuid,
  -- Of a copy: the child account that it happened to.
  origin text collate "C",
  primary key (account_id, id)
);
-- Accounts are dispatched in turn: which have some, and which of an account is next.
create index outbox_turn on partnerkit.outbox (account_id, place);

-- Dispatched events. Written once, and never changed.
create table partnerkit.events (
  account_id text collate "C" not null,
  id uuid not null,
  object_name text not null,
  object_id text collate "C" not null,
  type text not null,
  occurred_at timestamptz,
  dispatched_at timestamptz not null,
  idempotency_key text,
  second bigint not null,
  rest text not null,
  trace_context text,
  only_to uuid,
  origin text collate "C",
  primary key (account_id, id),
  -- No two events of one object share a second: receivers deduplicate on it.
  constraint events_second unique (account_id, object_id, second)
);
create index events_dispatched_at on partnerkit.events (dispatched_at);

-- Dispatched events that the parent of their account may want, whoever that is. \`place\` is their order.
create table partnerkit.referrals (
  account_id text collate "C" not null,
  place bigint generated always as identity,
  event_id uuid not null,
  primary key (account_id, place)
);
create index referrals_event on partnerkit.referrals (event_id);

-- The last second of the events that are gone: one row, or none.
create table partnerkit.pruned (
  one boolean primary key check (one),
  second bigint not null
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

-- Deliveries that are due. One key serves them all: which endpoints have some, and which of an endpoint is next.
create table partnerkit.queue (
  account_id text collate "C" not null,
  endpoint_id uuid not null,
  due_at timestamptz not null,
  id uuid not null,
  event_id uuid not null,
  attempts smallint not null,
  primary key (account_id, endpoint_id, due_at, id)
);
-- Those that were attempted before: a half-open endpoint is probed with the one that was most often. New ones are not in it.
create index queue_attempts on partnerkit.queue (account_id, endpoint_id, attempts desc, due_at, id) where attempts > 0;

-- Operators look for one.
create index queue_id on partnerkit.queue (account_id, id);

-- Deliveries that fall due at a time.
create table partnerkit.later (
  account_id text collate "C" not null,
  endpoint_id uuid not null,
  due_at timestamptz not null,
  id uuid not null,
  event_id uuid not null,
  attempts smallint not null,
  primary key (account_id, endpoint_id, id)
);
create index later_due_at on partnerkit.later (due_at);

-- Deliveries that are being attempted. Leases are random, so that their index stays as small as what it holds. One that is given back
-- stands in line where it stood, by \`due_at\`.
create table partnerkit.leases (
  account_id text collate "C" not null,
  lease uuid not null,
  endpoint_id uuid not null,
  due_at timestamptz not null,
  id uuid not null,
  event_id uuid not null,
  attempts smallint not null,
  worker text not null,
  expires_at timestamptz not null,
  primary key (account_id, lease)
);

-- Deliveries that are held while their endpoint is disabled, or that expired; since when.
create table partnerkit.parked (
  account_id text collate "C" not null,
  endpoint_id uuid not null,
  due_at timestamptz not null,
  id uuid not null,
  event_id uuid not null,
  attempts smallint not null,
  state text not null,
  since timestamptz not null,
  -- Why it expired, where its endpoint does not tell.
  why text,
  primary key (account_id, id)
);
create index parked_endpoint on partnerkit.parked (account_id, endpoint_id);
create index parked_since on partnerkit.parked (state, since);
create index parked_state on partnerkit.parked (account_id, state, id);

-- The log. Who took over a lapsed lease logs an attempt as abandoned; its holder may still log what became of it, without a number.
-- So is the word that an endpoint is gone: it does not count.
create table partnerkit.attempts (
  account_id text collate "C" not null,
  delivery_id uuid not null,
  lease uuid not null,
  abandoned boolean not null,
  endpoint_id uuid,
  event_id uuid,
  number smallint,
  at timestamptz not null,
  took double precision not null,
  status smallint,
  reason text,
  retry_after text,
  body text,
  -- Of a last attempt: what became of the delivery.
  state text,
  primary key (account_id, delivery_id, lease, abandoned)
);
create index attempts_at on partnerkit.attempts (at);
-- What operators ask for first.
create index attempts_exhausted on partnerkit.attempts (account_id, delivery_id) where state = 'exhausted';

-- Workers that sleep. Publishing notifies only while there is one.
create unlogged table partnerkit.sleepers (
  id uuid primary key,
  expires_at timestamptz not null
);

create table partnerkit.seen_keys (
  key text collate "C" primary key,
  lease uuid,
  expires_at timestamptz not null
);
create index seen_keys_expires_at on partnerkit.seen_keys (expires_at);

-- Webhooks that a receiver keeps until they are processed, and the keys of those that were. \`at\` is when one falls due, was parked, or
-- is forgotten.
create table partnerkit.inbox (
  key text collate "C" primary key,
  state text not null,
  at timestamptz not null,
  attempts integer not null,
  lease uuid,
  body text not null
);
create index inbox_at on partnerkit.inbox (state, at);

-- Tables through which everything passes are cleaned often, and not by their size.
alter table partnerkit.outbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
alter table partnerkit.referrals set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
alter table partnerkit.queue set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
alter table partnerkit.later set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000);
alter table partnerkit.inbox set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000);
alter table partnerkit.leases set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
`;
