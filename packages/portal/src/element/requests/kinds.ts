import type { TemplateResult } from 'lit';
import type { Texts } from '../i18n.ts';
import { badge, type Tone } from '../parts/badge.ts';
import type { Place } from '../place.ts';
import type { CashOut, PaymentRequest, PossibleCommand, SecurityDeposit } from '../portal.ts';

/** The lists of requests, by their path in the API. @internal */
export const requestKinds = ['payment-requests', 'security-deposits', 'cash-outs'] as const;
/** @internal */
export type RequestKind = (typeof requestKinds)[number];
/** An object of one of the lists. @internal */
export type RequestItem = PaymentRequest | SecurityDeposit | CashOut;
type Status = RequestItem['status'];

/** The list that an address names. @internal */
export const kindOf = (show: string | undefined): RequestKind =>
  requestKinds.find((each) => each === show) ?? 'payment-requests';

const tones: Readonly<Record<Status, Tone>> = {
  pending: 'warning',
  payed: 'good',
  refunded: 'neutral',
  cancelled: 'neutral',
  in_progress: 'good',
  litigation: 'bad',
  finished: 'neutral',
  error: 'bad',
  requested: 'warning',
  claimed: 'bad',
  denied: 'bad',
  accepted: 'good',
  settled: 'good',
  escrowed: 'good',
  done: 'neutral',
  failed: 'bad',
};

/** The states of each kind. */
const states: {
  readonly 'payment-requests': Readonly<Record<PaymentRequest['status'], true>>;
  readonly 'security-deposits': Readonly<Record<SecurityDeposit['status'], true>>;
  readonly 'cash-outs': Readonly<Record<CashOut['status'], true>>;
} = {
  'payment-requests': { pending: true, payed: true, refunded: true, cancelled: true },
  'security-deposits': {
    pending: true,
    in_progress: true,
    litigation: true,
    finished: true,
    cancelled: true,
    error: true,
  },
  'cash-outs': {
    requested: true,
    claimed: true,
    denied: true,
    accepted: true,
    settled: true,
    escrowed: true,
    done: true,
    cancelled: true,
    failed: true,
  },
};

/** @internal */
export const statesOf = (kind: RequestKind): readonly string[] => Object.keys(states[kind]);

/** The state of an object in words. @internal */
export const stateText = ({ find }: Texts, status: string): string => find('request-state', status, status);

/** @internal */
export const requestBadge = (texts: Texts, status: Status): TemplateResult =>
  badge(tones[status] ?? 'neutral', stateText(texts, status));

/** Where an object is shown. @internal */
export const placeOfRequest = (kind: RequestKind, id: string): Place => ({
  screen: 'requests',
  id,
  filter: { show: kind },
});

/** The amount of an object. @internal */
export const amountText = ({ money }: Texts, item: RequestItem): string =>
  money('depositAmount' in item ? item.depositAmount : item.amount, item.currency);

/** How an object is called. @internal */
export const nameOf = (texts: Texts, item: RequestItem): string =>
  'name' in item ? item.name : (item.description ?? amountText(texts, item));

/** `failTransaction` → `fail transaction`: a command that has no words yet. */
const spaced = (command: string): string => command.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** A command in words. @internal */
export const commandText = ({ find }: Texts, command: string): string => find('command', command, spaced(command));

/** A command that is possible, in words. That which creates a part of the object is not `create` for a person. */
export const possibleText = (texts: Texts, { command }: PossibleCommand): string =>
  commandText(texts, command === 'create' ? 'request' : command);
