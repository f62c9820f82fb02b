import { machine } from '../machine.ts';

/**
 * The state machine of a template of payment requests.
 * @public
 */
export const paymentTemplateMachine = machine('ModelRequestPayment', ['active', 'deleted'], {
  create: { by: 'partner', from: [], to: 'active', event: 'creation' },
  change: { by: 'partner', from: ['active'], event: 'update' },
  delete: { by: 'partner', from: ['active'], to: 'deleted', event: 'deletion' },
});

/**
 * The state machine of a template of security deposits.
 * @public
 */
export const depositTemplateMachine = machine('ModelRequestSecurityDeposit', ['active', 'deleted'], {
  create: { by: 'partner', from: [], to: 'active', event: 'creation' },
  change: { by: 'partner', from: ['active'], event: 'update' },
  delete: { by: 'partner', from: ['active'], to: 'deleted', event: 'deletion' },
});
