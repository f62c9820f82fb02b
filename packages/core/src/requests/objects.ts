import { defineObject } from '../catalogue/define-object.ts';
import { depositView } from './deposits/deposit.ts';
import { paymentView } from './payments/payment.ts';
import { depositTemplateView, paymentTemplateView } from './templates/template.ts';

/**
 * The four objects as {@link createRequests} publishes them: give them to the kit as its `objects`, or definitions of your own that take the
 * same data and let out less.
 * @public
 */
export const requestObjects = [
  defineObject('RequestPayment', {
    schema: paymentView,
    groups: {
      all: [
        'name',
        'status',
        'description',
        'amount',
        'currency',
        'recipient.email',
        'recipient.name',
        'templateId',
        'createdAt',
        'updatedAt',
      ],
    },
    events: { default: ['all'] },
  }),
  defineObject('RequestSecurityDeposit', {
    schema: depositView,
    groups: {
      all: [
        'name',
        'status',
        'description',
        'depositAmount',
        'currency',
        'recipient.email',
        'recipient.name',
        'templateId',
        'registeredAt',
        'checkedInAt',
        'checkedOutAt',
        'createdAt',
        'updatedAt',
      ],
      cashOuts: [
        'cashOuts.id',
        'cashOuts.status',
        'cashOuts.amount',
        'cashOuts.currency',
        'cashOuts.reason',
        'cashOuts.claim',
        'cashOuts.createdAt',
        'cashOuts.updatedAt',
      ],
    },
    events: { default: ['all', 'cashOuts'] },
  }),
  defineObject('ModelRequestPayment', {
    schema: paymentTemplateView,
    groups: { all: ['name', 'status', 'description', 'amount', 'currency', 'createdAt', 'updatedAt'] },
    events: { default: ['all'] },
  }),
  defineObject('ModelRequestSecurityDeposit', {
    schema: depositTemplateView,
    groups: { all: ['name', 'status', 'description', 'depositAmount', 'currency', 'createdAt', 'updatedAt'] },
    events: { default: ['all'] },
  }),
] as const;
