/**
 * Payment requests, security deposits, their templates and cash-outs, for platforms that have none: state machines, commands with their
 * events, routes for partners. Everything of it is built on what a host has too.
 * @module
 */
export type { CashOut, CashOutStatus } from './cashouts/cash-out.ts';
export { cashOutMachine } from './cashouts/machine.ts';
export type { CashOuts } from './cashouts/manage.ts';
export type { DepositStatus, SecurityDeposit } from './deposits/deposit.ts';
export { depositMachine } from './deposits/machine.ts';
export type { AnswerKey, AnswerStore, KeptAnswer } from './http/answer-store.ts';
export type {
  Amount,
  AskedChange,
  AskedInput,
  CashOutCommands,
  CashOutInput,
  DepositAmount,
  DepositCommands,
  NoInput,
  PaymentCommands,
  TemplateChange,
  TemplateCommands,
  TemplateInput,
} from './inputs.ts';
export type { Actor, Machine, Rule } from './machine.ts';
export type { CommandOptions, Managed } from './managed.ts';
export type { Minor, Money } from './money.ts';
export { requestObjects } from './objects.ts';
export { paymentMachine } from './payments/machine.ts';
export type { PaymentRequest, PaymentStatus } from './payments/payment.ts';
export type { Asked, Owner, Recipient, Recorded } from './record.ts';
export type { Refusal, WrongField } from './refusal.ts';
export { createRequests, type Requests, type RequestsOptions } from './requests.ts';
export type { RequestFilter, RequestStore, RequestStores } from './stores.ts';
export { depositTemplateMachine, paymentTemplateMachine } from './templates/machine.ts';
export type { Template, TemplateStatus } from './templates/template.ts';
