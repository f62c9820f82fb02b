import type { z } from 'zod';
import { documentation } from '#documentation';
import { described } from '../../base/fields/field.ts';
import { defineObject, type ObjectDefinition } from '../../webhooks/catalogue/define-object.ts';
import { leavesOf } from '../../webhooks/catalogue/leaves.ts';
import type { ObjectName } from '../../webhooks/catalogue/specification.ts';
import { transactionView } from '../books/transaction-view.ts';
import { kinds } from '../kinds/all.ts';
import { exampleOf } from '../kinds/define-kind.ts';
import type { RequestKindName } from '../record/names.ts';
import { assertExtensions } from './assert-extensions.ts';
import type { RequestExtensions } from './extension.ts';

/** The transaction that a command recorded. */
const transaction = described(
  transactionView,
  'The transaction that the event reports. Absent: it reports none.',
).optional();
/** The cash-out that a command was given on. */
const ofCashOut = 'The cash-out that the event is about. Absent: it is about the deposit.';
/** Events of a cash-out contain it in full; all events of a deposit contain a summary of each cash-out. */
const depositEvent = kinds.deposits.view.extend({
  cashOut: described(kinds.cashOuts.view, ofCashOut).optional(),
  transaction,
});
const paymentEvent = kinds.payments.view.extend({ transaction });

const withFields = <S extends z.ZodObject>(schema: S, extension: z.ZodObject | undefined): S =>
  (extension ? schema.extend(extension.shape) : schema) as S;

/** Every event type publishes every field. */
const whole = <N extends ObjectName, S extends z.ZodObject<{ id: z.ZodString }>>(
  objectName: N,
  schema: S,
  kind: RequestKindName,
): ObjectDefinition<N, S> => {
  documentation.add(schema as z.ZodType, { example: exampleOf(kinds[kind]) });
  return defineObject(objectName, {
    schema,
    // `id` is always published. Types cannot follow the leaves of a schema to come.
    events: { default: leavesOf(schema).filter((path) => path !== 'id') } as never,
  }) as unknown as ObjectDefinition<N, S>;
};

/**
 * {@link requestObjects} with the host's own fields. Every event type publishes all of them.
 * @example
 * const extend = { payments: z.object({ bookingId: z.string().max(40) }) };
 * const kit = createPartnerkit({ ...options, storage, objects: extendRequestObjects(extend) });
 * @throws TypeError for an unknown kind, or fields that are no object schema of zod 4.
 * @public
 */
export const extendRequestObjects = (extend: RequestExtensions) => {
  assertExtensions(extend);
  const { payments, deposits, cashOuts, paymentTemplates, depositTemplates } = extend;
  return [
    whole('RequestPayment', withFields(paymentEvent, payments), 'payments'),
    whole(
      'RequestSecurityDeposit',
      withFields(depositEvent, deposits).extend({
        cashOut: described(withFields(kinds.cashOuts.view, cashOuts), ofCashOut).optional(),
      }),
      'deposits',
    ),
    whole('ModelRequestPayment', withFields(kinds.paymentTemplates.view, paymentTemplates), 'paymentTemplates'),
    whole('ModelRequestSecurityDeposit', withFields(kinds.depositTemplates.view, depositTemplates), 'depositTemplates'),
  ] as const;
};

/**
 * The four objects as {@link createRequests} publishes them; pass them as the kit's `objects`. To publish less, define
 * objects of your own that accept the same data.
 * @public
 */
export const requestObjects = extendRequestObjects({});
