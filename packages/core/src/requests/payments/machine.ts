import { machine } from '../machine.ts';

/**
 * The state machine of a payment request. After a failed transaction it stays `pending`: the payer may retry.
 * @public
 */
export const paymentMachine = machine('RequestPayment', ['pending', 'payed', 'refunded', 'cancelled'], {
  create: { by: 'partner', from: [], to: 'pending', event: 'creation' },
  change: { by: 'partner', from: ['pending'], event: 'update' },
  setPaymentUrl: { by: 'host', from: ['pending'], event: 'update' },
  cancel: { by: 'partner', from: ['pending'], to: 'cancelled', event: 'cancel' },
  succeed: { by: 'host', from: ['pending'], to: 'payed', event: 'payed' },
  failTransaction: { by: 'host', from: ['pending'], event: 'transaction_failed' },
  refund: {
    by: 'host',
    from: ['payed'],
    to: ['payed', 'refunded'],
    event: 'update',
    unless: 'refunds would exceed the payment',
    refuses: ['exceeds_payment'],
  },
});
