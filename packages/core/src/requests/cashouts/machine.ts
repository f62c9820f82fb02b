import { machine } from '../machine.ts';

const deposited = ['in_progress', 'litigation'];

/**
 * The cash-out: a part of a security deposit, whose events tell of it.
 * @public
 */
export const cashOutMachine = machine(
  'RequestSecurityDeposit',
  ['requested', 'claimed', 'denied', 'accepted', 'escrowed', 'done', 'cancelled', 'failed'],
  {
    create: {
      by: 'partner',
      from: [],
      to: 'requested',
      event: 'cashout',
      within: ['in_progress'],
      unless: 'open and done cash-outs would exceed the deposit',
    },
    cancel: {
      by: 'partner',
      from: ['requested', 'claimed', 'denied'],
      to: 'cancelled',
      event: 'cashout_cancel',
      within: deposited,
    },
    claim: { by: 'host', from: ['requested'], to: 'claimed', event: 'cashout_reclamation', within: deposited },
    offer: {
      by: 'partner',
      from: ['requested', 'claimed'],
      to: 'requested',
      event: 'cashout_new_offer',
      within: deposited,
      unless: 'open and done cash-outs would exceed the deposit',
    },
    deny: {
      by: 'partner',
      from: ['claimed'],
      to: 'denied',
      event: 'cashout_owner_deny_reclamation',
      within: deposited,
      follows: 'litigate',
    },
    accept: {
      by: 'host',
      from: ['requested', 'claimed'],
      to: 'accepted',
      event: 'cashout_recipient_accept',
      within: deposited,
    },
    escrow: { by: 'host', from: ['accepted'], to: 'escrowed', event: 'update', within: deposited },
    complete: {
      by: 'host',
      from: ['denied', 'accepted', 'escrowed'],
      to: 'done',
      event: 'cashout_done',
      within: deposited,
    },
    fail: {
      by: 'host',
      from: ['denied', 'accepted', 'escrowed'],
      to: 'failed',
      event: 'cashout_failed',
      within: deposited,
    },
  },
);
