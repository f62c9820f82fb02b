/**
 * Payment requests, security deposits, their templates and cash-outs, for platforms that have none: state machines,
 * commands with their events, and routes for partners. It uses only public interfaces of `@partnerkit/core`.
 * @module core/requests
 */

export type { CashOut } from './requests/cashouts/cash-out.ts';
export { cashOutMachine } from './requests/cashouts/machine.ts';
export type { Collection, CommandOptions, PerformOptions } from './requests/collection.ts';
export { CommandRejection } from './requests/command-rejection.ts';
export type { CashOutStatus, CashOutSummary } from './requests/deposits/cash-out-summary.ts';
export type { DepositStatus, SecurityDeposit } from './requests/deposits/deposit.ts';
export { depositMachine } from './requests/deposits/machine.ts';
export type {
  ExtensionChange,
  ExtensionFields,
  ExtensionInput,
  MergePatch,
  RequestExtensions,
} from './requests/extension.ts';
export type { HistoryEntry } from './requests/history.ts';
export type { IdempotencyKey, IdempotencyStore, StoredResponse } from './requests/http/idempotency-store.ts';
export { idempotentHandler } from './requests/http/idempotent-handler.ts';
export type {
  Amount,
  CashOutCommands,
  CashOutInput,
  DepositAmount,
  DepositCommands,
  Identified,
  IdentifiedChange,
  NoInput,
  PaymentCommands,
  RequestChange,
  RequestInput,
  Stay,
  StayChange,
  TemplateChange,
  TemplateCommands,
  TemplateInput,
  WithReason,
} from './requests/inputs.ts';
export type { GivenBy, Machine, Rule } from './requests/machine.ts';
export type { Minor, Money } from './requests/money.ts';
export { extendRequestObjects, requestObjects } from './requests/objects.ts';
export type { CommandOn, GivenCommand, OnCommand } from './requests/on-command.ts';
export { paymentMachine } from './requests/payments/machine.ts';
export type { PaymentRequest, PaymentStatus } from './requests/payments/payment.ts';
export type { AccountRef, Reason, Recipient, RequestFields, StoredRecord } from './requests/record.ts';
export type { ReferenceKey, ReferenceStore } from './requests/references.ts';
export type { Refusal } from './requests/refusal.ts';
export { createRequests, type ExtendedCommands, type Requests } from './requests/requests.ts';
export type { NewRequestRecord, RequestsKit, RequestsOptions } from './requests/requests-options.ts';
export type { RequestFilter, RequestStore, RequestStores } from './requests/stores.ts';
export { depositTemplateMachine, paymentTemplateMachine } from './requests/templates/machine.ts';
export type { Template, TemplateStatus } from './requests/templates/template.ts';
export type { ObjectKind } from './signals/actor.ts';
