/**
 * Payment requests, security deposits, their templates and cash-outs, for platforms that have none: state machines,
 * commands with their events, and routes for partners. It uses only public interfaces of `@partnerkit/core`.
 * @module core/requests
 */

export type { LawName, TransactionSums } from './requests/books/laws.ts';
export type { RequestTransactions, TransactionListOptions } from './requests/books/read-transactions.ts';
export type {
  RequestTransaction,
  TransactionKind,
  TransactionStatus,
  TransactionSummary,
} from './requests/books/transaction.ts';
export type {
  StoredTransaction,
  TransactionFilter,
  TransactionObject,
  TransactionStore,
  TransactionTotal,
} from './requests/books/transaction-store.ts';
export type {
  CommandOptions,
  CreateOptions,
  PerformOptions,
  RequestCollection,
  RequestListOptions,
} from './requests/collection.ts';
export { CommandRejection } from './requests/command-rejection.ts';
export type { CommandRule } from './requests/define-kind.ts';
export type { ClaimedCommand, DueAccount, DueChange, DueCommandKey, DueStore } from './requests/due-store.ts';
export type { Evidence, GivenEvidence } from './requests/evidence.ts';
export type { EvidenceUpload, EvidenceUploads } from './requests/evidence-upload.ts';
export type {
  ExtensionChange,
  ExtensionFields,
  ExtensionInput,
  MergePatch,
  RequestExtensions,
} from './requests/extension.ts';
export type { RequestHistoryEntry } from './requests/history.ts';
export type { IdempotencyKey, IdempotencyStore, StoredResponse } from './requests/http/idempotency-store.ts';
export { idempotentHandler } from './requests/http/idempotent-handler.ts';
export type { RequestTypes } from './requests/kinds/all.ts';
export type { CashOutChange, CashOutCommands, CashOutInput } from './requests/kinds/cash-out.ts';
export type { CashOut, Irrecoverable } from './requests/kinds/cash-out-fields.ts';
export type { CashOutStatus, CashOutSummary } from './requests/kinds/cash-out-summary.ts';
export type { DepositChange, DepositCommands, DepositInput } from './requests/kinds/deposit.ts';
export type { DepositStatus, SecurityDeposit } from './requests/kinds/deposit-fields.ts';
export type {
  DepositTemplate,
  DepositTemplateChange,
  DepositTemplateCommands,
  DepositTemplateInput,
} from './requests/kinds/deposit-template.ts';
export type { RequestKindName } from './requests/kinds/names.ts';
export type {
  PaymentCommands,
  PaymentRequest,
  PaymentRequestChange,
  PaymentRequestInput,
  PaymentStatus,
} from './requests/kinds/payment.ts';
export type {
  PaymentTemplate,
  PaymentTemplateChange,
  PaymentTemplateCommands,
  PaymentTemplateInput,
} from './requests/kinds/payment-template.ts';
export type { TemplateStatus } from './requests/kinds/template.ts';
export { type RequestMachine, requestMachines } from './requests/machines.ts';
export type { MinorUnits, RequestMoney } from './requests/money.ts';
export { extendRequestObjects, requestObjects } from './requests/objects.ts';
export type { CommandOn, GivenCommand, OnCommand, OnDeposit } from './requests/on-command.ts';
export type {
  DisputePolicies,
  GuaranteePolicy,
  RequestPolicies,
  SilencePolicy,
  TermPolicy,
} from './requests/policies.ts';
export type { AccountRef, CommandReason, RequestRecipient, StoredRequest } from './requests/record.ts';
export type { ReferenceKey, ReferenceStore } from './requests/references.ts';
export type { CommandRefusal } from './requests/refusal.ts';
export { createRequests, type ExtendedCommands, type RequestCollections, type Requests } from './requests/requests.ts';
export type { NewRequestRecord, PaymentUrl, RequestsKit, RequestsOptions } from './requests/requests-options.ts';
export type { Rescheduled } from './requests/reschedule.ts';
export type { RequestFilter, RequestRecordStores, RequestStore, RequestStores } from './requests/stores.ts';
export type { ObjectKind } from './signals/actor.ts';
