import { machine } from '../machine.ts';

/**
 * The state machine of a security deposit. `litigate` and `resume` also follow from commands on its cash-outs.
 * @public
 */
export const depositMachine = machine(
  'RequestSecurityDeposit',
  ['pending', 'in_progress', 'litigation', 'finished', 'cancelled', 'error'],
  {
    create: { by: 'partner', from: [], to: 'pending', event: 'creation' },
    change: { by: 'partner', from: ['pending'], event: 'update' },
    setPaymentUrl: { by: 'host', from: ['pending'], event: 'update' },
    cancel: { by: 'partner', from: ['pending'], to: 'cancelled', event: 'cancel' },
    registerUser: { by: 'host', from: ['pending'], event: 'user_register' },
    succeedTransaction: {
      by: 'host',
      from: ['pending', 'in_progress', 'litigation'],
      event: 'new_transaction_success',
    },
    failTransaction: { by: 'host', from: ['pending', 'in_progress', 'litigation'], event: 'transaction_failed' },
    cancelTransaction: {
      by: 'host',
      from: ['pending', 'in_progress', 'litigation'],
      event: 'new_transaction_manual_cancel',
    },
    succeedDeposit: { by: 'host', from: ['pending'], to: 'in_progress', event: 'deposit_success' },
    checkIn: {
      by: 'partner',
      from: ['in_progress'],
      event: 'check_in',
      unless: 'it was done before',
      refuses: ['already_done'],
    },
    checkOut: {
      by: 'partner',
      from: ['in_progress'],
      event: 'check_out',
      unless: 'it was done before, or check-in is missing',
      refuses: ['already_done', 'not_checked_in'],
    },
    finish: {
      by: 'partner',
      from: ['in_progress'],
      to: 'finished',
      event: 'finish',
      unless: 'a cash-out is open',
      refuses: ['open_cash_outs'],
    },
    litigate: {
      by: 'host',
      from: ['in_progress'],
      to: 'litigation',
      event: 'litigation',
      unless: 'no cash-out is in dispute',
      refuses: ['no_dispute'],
    },
    resume: { by: 'host', from: ['litigation'], to: 'in_progress', event: 'update' },
    fail: { by: 'host', from: ['pending', 'in_progress', 'litigation'], to: 'error', event: 'global_error' },
  },
);
