import type { TransactionKind, TransactionStatus } from '../../../requests/books/transaction.ts';
import type { RequestHistoryEntry } from '../../../requests/fields/history.ts';
import type { RequestKindName } from '../../../requests/record/names.ts';
import type { StoredRequest } from '../../../requests/record/record.ts';
import type { StoredResponse } from '../../../requests/stores/idempotency-store.ts';
import type { StoredTransaction } from '../../../requests/stores/transaction-store.ts';
import { integer, json, number, optional, table, text } from '../port/table.ts';

const list = ['accountId', 'environment', 'kind'] as const;

/**
 * Payment requests, deposits, cash-outs and templates. `parentId`: the template of a request, or the deposit of a
 * cash-out. `recipientEmail`: in lower case.
 */
export const requests = table({
  name: 'requests',
  columns: {
    kind: text(),
    id: text(),
    accountId: text(),
    environment: text(),
    status: text(),
    reference: optional(text()),
    recipientEmail: optional(text()),
    parentId: optional(text()),
    createdAt: number(),
    updatedAt: number(),
    version: integer(),
    record: json<StoredRequest>(),
  },
  key: ['kind', 'id'],
  indexes: {
    created: { columns: [...list, 'createdAt', 'id'] },
    updated: { columns: [...list, 'updatedAt', 'id'] },
    statusCreated: { columns: [...list, 'status', 'createdAt', 'id'] },
    statusUpdated: { columns: [...list, 'status', 'updatedAt', 'id'] },
    referenceCreated: { columns: [...list, 'reference', 'createdAt', 'id'] },
    referenceUpdated: { columns: [...list, 'reference', 'updatedAt', 'id'] },
    emailCreated: { columns: [...list, 'recipientEmail', 'createdAt', 'id'] },
    emailUpdated: { columns: [...list, 'recipientEmail', 'updatedAt', 'id'] },
    parentCreated: { columns: [...list, 'parentId', 'createdAt', 'id'] },
    parentUpdated: { columns: [...list, 'parentId', 'updatedAt', 'id'] },
  },
});

/** The history of requests; deleted with them. */
export const requestHistory = table({
  name: 'request_history',
  columns: { kind: text(), id: text(), version: integer(), step: integer(), entry: json<RequestHistoryEntry>() },
  key: ['kind', 'id', 'version', 'step'],
  indexes: { object: { columns: ['kind', 'id', 'version', 'step'] } },
});

/**
 * The transactions of requests; kept as long as these. `reference`: the processor's, else the id. `number`: counts
 * those of the reference from 1.
 */
export const requestTransactions = table({
  name: 'request_transactions',
  columns: {
    accountId: text(),
    environment: text(),
    kind: text<TransactionKind>(),
    reference: text(),
    number: integer(),
    id: text(),
    object: text(),
    objectId: text(),
    settledAt: number(),
    status: text<TransactionStatus>(),
    currency: text(),
    amount: integer(),
    fee: integer(),
    transaction: json<StoredTransaction>(),
  },
  key: ['accountId', 'environment', 'kind', 'reference', 'number'],
  indexes: {
    reference: { columns: ['accountId', 'environment', 'kind', 'reference', 'number'] },
    settled: { columns: ['accountId', 'environment', 'settledAt', 'id'] },
    object: { columns: ['accountId', 'environment', 'object', 'objectId', 'settledAt', 'id'] },
  },
});

/** References in use. */
export const requestReferences = table({
  name: 'request_references',
  columns: { accountId: text(), environment: text(), object: text(), reference: text(), objectId: text() },
  key: ['accountId', 'environment', 'object', 'reference'],
  indexes: {},
});

/**
 * The commands that objects wait for. `claimableAt`: when a worker may claim it, again. `rank`: 1 for a reminder,
 * otherwise 0. `state`: `ready` once it takes turns with those of other accounts.
 */
export const requestDue = table({
  name: 'request_due',
  columns: {
    kind: text<RequestKindName>(),
    id: text(),
    name: text(),
    accountId: text(),
    environment: text(),
    dueAt: number(),
    claimableAt: number(),
    attempts: integer(),
    rank: integer(),
    state: text<'waiting' | 'ready'>(),
  },
  key: ['kind', 'id', 'name'],
  indexes: {
    claimable: { columns: ['claimableAt', 'kind', 'id', 'name'], where: ['state', 'waiting'] },
    turns: {
      columns: ['accountId', 'environment', 'rank', 'claimableAt', 'kind', 'id', 'name'],
      where: ['state', 'ready'],
    },
  },
});

/** Responses by idempotency key. Without one: a transaction has claimed the key. */
export const idempotentResponses = table({
  name: 'idempotent_responses',
  columns: {
    accountId: text(),
    clientId: text(),
    key: text(),
    response: optional(json<StoredResponse>()),
    expiresAt: number(),
  },
  key: ['accountId', 'clientId', 'key'],
  indexes: { expiry: { columns: ['expiresAt', 'accountId', 'clientId', 'key'] } },
});
