import type { EventPairs, EventTypeInfo } from './pairs.ts';

/** The objects and event types of specification §6.2 to §6.4: 4 names, 23 types, 32 pairs. */
export const specification = {
  ModelRequestPayment: {
    creation: { description: 'A payment template was created.' },
    update: { description: 'A payment template was updated.' },
    deletion: { description: 'A payment template was deleted.' },
  },
  ModelRequestSecurityDeposit: {
    creation: { description: 'A security-deposit template was created.' },
    update: { description: 'A security-deposit template was updated.' },
    deletion: { description: 'A security-deposit template was deleted.' },
  },
  RequestPayment: {
    creation: { description: 'A payment request was created.' },
    update: { description: 'A payment request was updated.' },
    payed: { description: 'The payment of a payment request succeeded.' },
    cancel: { description: 'A payment request was cancelled.' },
    transaction_failed: { description: 'A transaction of a payment request failed.' },
  },
  RequestSecurityDeposit: {
    creation: { description: 'A security-deposit request was created.' },
    update: { description: 'A security-deposit request was updated.' },
    cancel: { description: 'A security-deposit request was cancelled.' },
    finish: { description: 'A security-deposit request finished.' },
    global_error: { description: 'A security-deposit request has a global error.' },
    litigation: { description: 'A security-deposit request moved to dispute after a claim on a cash-out.' },
    transaction_failed: { description: 'A transaction of a security-deposit request failed.' },
    new_transaction_success: { description: 'A transaction of a security-deposit request succeeded.' },
    new_transaction_manual_cancel: {
      description: 'A transaction of a security-deposit request was cancelled manually.',
    },
    user_register: { description: 'The recipient entered personal information for a security-deposit request.' },
    deposit_success: { description: 'The security deposit was made.' },
    check_in: { description: 'The entry inspection is done.' },
    check_out: { description: 'The exit inspection is done.' },
    cashout: { description: 'A cash-out request was created.' },
    cashout_cancel: { description: 'A cash-out request was cancelled.' },
    cashout_failed: { description: 'A cash-out request failed while the amount was escrowed.' },
    cashout_reclamation: { description: 'The tenant raised a claim on a cash-out request.' },
    cashout_new_offer: { description: 'The requester made a new offer for a cash-out request.' },
    cashout_recipient_accept: { description: 'The tenant accepted a cash-out request.' },
    cashout_owner_deny_reclamation: { description: 'The requester refused to answer the claim of the tenant.' },
    cashout_done: { description: 'A cash-out request was completed.' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, EventTypeInfo>>>>;

/** Event types by object name of the specification. @public */
export type SpecifiedPairs = {
  readonly [N in keyof typeof specification]: keyof (typeof specification)[N] & string;
};

/** Class name of an object, the `objectName` of its events. @public */
export type ObjectName<P extends EventPairs = SpecifiedPairs> = keyof P & string;

/** An event type of the specification; with `N`, one that this object can have. @public */
export type EventType<N extends ObjectName = ObjectName> = SpecifiedPairs[N];
