/**
 * Fills an account with `$3` payment requests, as many cash-outs and as many transactions, one a second, and with one
 * history of that length. Ten of each kind have a rare state, recipient and parent; the others share theirs. Ten
 * transactions are of a rare payment request, the others of the first.
 */
export const fill = `
  with made as (
    select place, 1750000000000 + place * 1000 as time, place % ($3 / 10) = 0 as is_rare
    from generate_series(1::bigint, $3::bigint) place
  ), kinds as (
    select 'payment' as kind, 'pay_' as prefix, 'pending' as usual, 'cancelled' as rare
    union all select 'cash_out', 'cash_', 'done', 'failed'
  ), rows as (
    select *, prefix || lpad(place::text, 9, '0') as id, case when is_rare then rare else usual end as status,
      case when is_rare then 'rare@example.com' else 'guest@example.com' end as email,
      case when is_rare then 'rare' else 'usual' end as parent
    from made, kinds
  ), history as (
    insert into partnerkit.request_history (kind, id, version, step, entry)
    select 'payment', 'pay_000000001', place, 0, json_build_object('version', place, 'step', 0, 'at', time, 'command', 'change',
      'event', 'update', 'status', 'pending', 'by', json_build_object('type', 'host'))::text
    from made
  ), transactions as (
    insert into partnerkit.request_transactions (account_id, environment, kind, reference, number, id, object, object_id, settled_at,
      status, currency, amount, fee, transaction)
    select $1, $2, 'charge', 'ch_' || place, 1, 'txn_' || lpad(place::text, 9, '0'), 'RequestPayment',
      case when is_rare then 'pay_rare' else 'pay_000000001' end, time, 'succeeded', 'EUR', 24990, 45, json_build_object(
      'accountId', $1::text, 'environment', $2::text, 'kind', 'charge', 'id', 'txn_' || lpad(place::text, 9, '0'),
      'object', 'RequestPayment', 'objectId', case when is_rare then 'pay_rare' else 'pay_000000001' end, 'settledAt', time,
      'status', 'succeeded', 'currency', 'EUR', 'amount', 24990, 'fee', 45, 'processorReference', 'ch_' || place,
      'number', 1, 'isTimed', true)::text
    from made
  )
  insert into partnerkit.requests (kind, id, account_id, environment, version, status, reference, recipient_email, parent_id, created_at,
    updated_at, record)
  select kind, id, $1, $2, 1, status, 'R-' || place, email, parent, time, time, json_build_object('id', id, 'accountId', $1::text,
    'environment', $2::text, 'status', status, 'createdAt', time, 'updatedAt', time, 'createdBy', json_build_object('type', 'host'),
    'updatedBy', json_build_object('type', 'host'), 'version', 1, 'name', 'Stay', 'amount', 24990, 'currency', 'EUR', 'reference',
    'R-' || place, case kind when 'payment' then 'templateId' else 'depositId' end, parent,
    'recipient', json_build_object('email', email))::text
  from rows`;

/** The pages to read from tables of both sizes, below the account. `next` is the cursor of the first page. */
export const pages: Readonly<Record<string, (rows: number, next: string) => string>> = {
  'the first page': () => 'payment-requests',
  'the first page, newest first': () => 'payment-requests?order=newest',
  'the page after it': (_rows, next) => `payment-requests?after=${next}`,
  'a page of a usual status': () => 'payment-requests?status=pending',
  'a page of a rare status': () => 'payment-requests?status=cancelled&order=newest',
  'a page of several statuses': () => 'payment-requests?status=pending,cancelled,payed',
  'a page of a reference': (rows) => `payment-requests?reference=R-${rows / 2}`,
  'a page of a usual recipient': () => 'payment-requests?recipientEmail=guest%40example.com&order=newest',
  'a page of a rare recipient': () => 'payment-requests?recipientEmail=Rare%40example.com',
  'a page of a rare template': () => 'payment-requests?templateId=rare',
  'a page from the middle on': (rows) => `payment-requests?createdFrom=${1_750_000_000 + rows / 2}`,
  'a page of what changed lately': (rows) => `payment-requests?updatedFrom=${1_750_000_000 + rows / 2}`,
  'a page of what changed, newest first': (rows) =>
    `payment-requests?updatedTo=${1_750_000_000 + rows / 2}&order=newest`,
  'a page of all cash-outs': () => 'cash-outs?order=newest',
  'a page of failed cash-outs': () => 'cash-outs?status=failed',
  'a page of the cash-outs of a deposit': () => 'cash-outs?depositId=rare',
  'a page of transactions': () => 'transactions',
  'a page of transactions, newest first': () => 'transactions?order=newest',
  'a page of transactions from the middle on': (rows) => `transactions?settledFrom=${1_750_000_000 + rows / 2}`,
  'a page of the transactions of an object': () => 'payment-requests/pay_000000001/transactions?order=newest',
  'a page of a history': () => 'payment-requests/pay_000000001/events?order=newest',
};
