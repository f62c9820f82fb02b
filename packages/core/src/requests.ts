/**
 * Payment requests, security deposits, their templates and cash-outs, for platforms that have none: state machines,
 * commands with their events, and routes for partners. It uses only public interfaces of `@partnerkit/core`.
 * @module core/requests
 */

export type { ObjectKind } from './base/signals/actor.ts';
export type { LawName, TransactionSums } from './requests/books/laws.ts';
export type {
  RequestTransaction,
  TransactionKind,
  TransactionStatus,
  TransactionSummary,
} from './requests/books/transaction.ts';
export type {
  CommandOptions,
  CreateOptions,
  PerformOptions,
  RequestCollection,
  RequestListOptions,
} from './requests/collection.ts';
export type { CommandOn, GivenCommand, OnCommand, OnDeposit } from './requests/commands/on-command.ts';
export type { RequestTransactions, TransactionListOptions } from './requests/commands/read-transactions.ts';
export type { Rescheduled } from './requests/commands/reschedule.ts';
export type { RequestLine } from './requests/exports/request-line.ts';
export type {
  ExtensionChange,
  ExtensionFields,
  ExtensionInput,
  MergePatch,
  RequestExtensions,
} from './requests/extensions/extension.ts';
export { extendRequestObjects, requestObjects } from './requests/extensions/objects.ts';
export type { Chargeback, ReportedChargeback } from './requests/fields/chargeback.ts';
export type { Evidence, GivenEvidence } from './requests/fields/evidence.ts';
export type { RequestHistoryEntry } from './requests/fields/history.ts';
export type { MinorUnits, RequestMoney } from './requests/fields/money.ts';
export { idempotentHandler } from './requests/http/idempotent-handler.ts';
export type { ImportRequests, RequestImportOptions } from './requests/imports/import-requests.ts';
export type { RequestRow } from './requests/imports/request-row.ts';
export type { RequestTypes } from './requests/kinds/all.ts';
export type { CashOutChange, CashOutCommands, CashOutInput } from './requests/kinds/cash-out.ts';
export type { CashOut, Irrecoverable } from './requests/kinds/cash-out-fields.ts';
export type { CashOutStatus, CashOutSummary } from './requests/kinds/cash-out-summary.ts';
export type { CommandRule } from './requests/kinds/define-kind.ts';
export type { DepositChange, DepositCommands, DepositInput } from './requests/kinds/deposit.ts';
export type { DepositStatus, SecurityDeposit } from './requests/kinds/deposit-fields.ts';
export type {
  DepositTemplate,
  DepositTemplateChange,
  DepositTemplateCommands,
  DepositTemplateInput,
} from './requests/kinds/deposit-template.ts';
export { type RequestMachine, requestMachines } from './requests/kinds/machines.ts';
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
export type { EvidenceUpload, EvidenceUploads } from './requests/options/evidence-upload.ts';
export type {
  NewRequestRecord,
  PaymentUrl,
  RequestsKit,
  RequestsOptions,
} from './requests/options/requests-options.ts';
export { CommandRejection } from './requests/record/command-rejection.ts';
export type { RequestKindName } from './requests/record/names.ts';
export type {
  DisputePolicies,
  ExpiryPolicy,
  GuaranteePolicy,
  RequestPolicies,
  SilencePolicy,
  TermPolicy,
} from './requests/record/policies.ts';
export type { AccountRef, CommandReason, RequestRecipient, StoredRequest } from './requests/record/record.ts';
export type { CommandRefusal } from './requests/record/refusal.ts';
export { createRequests, type ExtendedCommands, type RequestCollections, type Requests } from './requests/requests.ts';
export type { RequestFilter } from './requests/stores/stores.ts';
export type { TransactionFilter } from './requests/stores/transaction-store.ts';
