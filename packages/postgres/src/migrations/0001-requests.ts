/**
 * Payment requests, security deposits and templates, of all kinds in one table: what is searched for has a column, the rest is in `record`, as
 * JSON. And the answers that idempotency keys are kept for.
 * @internal
 */
export const requests: readonly string[] = [
  `
create table partnerkit.requests (
  account_id text collate "C" not null,
  kind text collate "C" not null,
  id uuid not null,
  environment text collate "C" not null,
  status text collate "C" not null,
  template_id text collate "C",
  created_at float8 not null,
  version integer not null,
  record text not null,
  primary key (id)
);
-- Lists are in the order of these: where a page begins costs nothing, whatever is asked for.
create index requests_created on partnerkit.requests (account_id, kind, created_at, id);
create index requests_status on partnerkit.requests (account_id, kind, status, created_at, id);
create index requests_template on partnerkit.requests (account_id, kind, template_id, created_at, id) where template_id is not null;

create table partnerkit.answers (
  account_id text collate "C" not null,
  client_id text collate "C" not null,
  key text collate "C" not null,
  -- Null while the transaction that took the key has kept none.
  answer text,
  expires_at timestamptz not null,
  primary key (account_id, client_id, key)
);
create index answers_expires_at on partnerkit.answers (expires_at);
`,
];
