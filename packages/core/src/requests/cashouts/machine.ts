import { machine } from '../machine.ts';

const deposited = ['in_progress', 'litigation'];
const exceeds = 'open and done cash-outs would exceed the deposit';

/**
 * The state machine of a cash-out. Its events are events of the deposit (specification §6.4).
 * @public
 */
export const cashOutMachine = machine(
  'RequestSecurityDeposit',
  ['requested', 'claimed', 'denied', 'accepted', 'settled', 'escrowed', 'done', 'cancelled', 'failed'],
  {
    create: {
      by: 'partner',
      from: [],
      to: 'requested',
      event: 'cashout',
      within: ['in_progress'],
      unless: exceeds,
      refuses: ['exceeds_deposit', 'too_many_cash_outs'],
    },
    change: {
      by: 'partner',
      from: ['requested', 'claimed', 'denied', 'accepted', 'settled', 'escrowed'],
      event: 'update',
      within: deposited,
    },
    cancel: {
      by: 'partner',
      from: ['requested', 'claimed', 'denied'],
      to: 'cancelled',
      event: 'cashout_cancel',
      within: deposited,
      follows: 'resume',
    },
    claim: { by: 'host', from: ['requested'], to: 'claimed', event: 'cashout_reclamation', within: deposited },
    offer: {
      by: 'partner',
      from: ['requested', 'claimed', 'denied'],
      to: 'requested',
      event: 'cashout_new_offer',
      within: deposited,
      unless: exceeds,
      refuses: ['exceeds_deposit'],
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
      from: ['requested', 'claimed', 'denied'],
      to: 'accepted',
      event: 'cashout_recipient_accept',
      within: deposited,
      unless: 'neither its `amount` nor its version is named, or it has another',
      refuses: ['amount_mismatch', 'version_required'],
      follows: 'resume',
    },
    settle: {
      by: 'host',
      from: ['requested', 'claimed', 'denied'],
      to: 'settled',
      event: 'update',
      within: ['litigation'],
      unless: exceeds,
      refuses: ['exceeds_deposit'],
      follows: 'resume',
    },
    escrow: { by: 'host', from: ['accepted', 'settled'], to: 'escrowed', event: 'update', within: deposited },
    complete: {
      by: 'host',
      from: ['denied', 'accepted', 'settled', 'escrowed'],
      to: 'done',
      event: 'cashout_done',
      within: deposited,
      unless: 'it is denied and its version is not named',
      refuses: ['version_required'],
      follows: 'resume',
    },
    fail: {
      by: 'host',
      from: ['requested', 'claimed', 'denied', 'accepted', 'settled', 'escrowed'],
      to: 'failed',
      event: 'cashout_failed',
      within: deposited,
      follows: 'resume',
    },
  },
);
