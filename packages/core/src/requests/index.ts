/**
 * Payment requests, security deposits, their templates and cash-outs, for platforms that have none: state machines,
 * commands with their events, and routes for partners. It uses only public interfaces of `@partnerkit/core`.
 * @module core/requests
 */
export type { ObjectKind } from '../signals/actor.ts';
export type { CashOut } from './cashouts/cash-out.ts';
export { cashOutMachine } from './cashouts/machine.ts';
export type { Collection, CommandOptions, PerformOptions } from './collection.ts';
export { CommandRejection } from './command-rejection.ts';
export type { CashOutStatus, CashOutSummary } from './deposits/cash-out-summary.ts';
export type { DepositStatus, SecurityDeposit } from './deposits/deposit.ts';
export { depositMachine } from './deposits/machine.ts';
export type { ExtensionChange, ExtensionFields, ExtensionInput, MergePatch, RequestExtensions } from './extension.ts';
export type { HistoryEntry } from './history.ts';
export type { IdempotencyKey, IdempotencyStore, StoredResponse } from './http/idempotency-store.ts';
export { type IdempotentHandlerOptions, idempotentHandler } from './http/idempotent-handler.ts';
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
} from './inputs.ts';
export type { GivenBy, Machine, Rule } from './machine.ts';
export type { Minor, Money } from './money.ts';
export { extendRequestObjects, requestObjects } from './objects.ts';
export type { CommandOn, GivenCommand, OnCommand } from './on-command.ts';
export { paymentMachine } from './payments/machine.ts';
export type { PaymentRequest, PaymentStatus } from './payments/payment.ts';
export type { AccountRef, Reason, Recipient, RequestFields, StoredRecord } from './record.ts';
export type { ReferenceKey, ReferenceStore } from './references.ts';
export type { Refusal } from './refusal.ts';
export { createRequests, type ExtendedCommands, type Requests } from './requests.ts';
export type { NewRequestRecord, RequestsOptions } from './requests-options.ts';
export type { RequestFilter, RequestStore, RequestStores } from './stores.ts';
export { depositTemplateMachine, paymentTemplateMachine } from './templates/machine.ts';
export type { Template, TemplateStatus } from './templates/template.ts';
