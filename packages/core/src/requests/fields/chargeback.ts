import { z } from 'zod';
import { documentation } from '#documentation';
import { notEmpty } from '../../base/fields/change.ts';
import { described } from '../../base/fields/field.ts';
import { present } from '../../base/fields/present.ts';
import { secondsView, text, textView, time } from '../../base/fields/values.ts';
import { type EpochMs, toSeconds } from '../../base/runtime/time.ts';
import type { CommandReason } from '../record/record.ts';
import { forPeople, forPrograms, reasonField, values } from './fields.ts';

/**
 * A chargeback as a case, as the processor tells it. Its money is in transactions with the same reference.
 * @public
 */
export interface Chargeback {
  /** The processor's name for it. */
  readonly processorReference: string;
  /** Deposits only: the cash-out whose money it is about. */
  readonly cashOutId?: string;
  /** How far it is, in a word of the processor, such as `inquiry`, `chargeback` or `arbitration`. */
  readonly stage?: string;
  /** Why the bank of the payer opened it. */
  readonly reason?: CommandReason;
  /** Until when the processor takes evidence. Absent: it asks for none. */
  readonly respondBy?: EpochMs;
  /** When evidence was last given for it. */
  readonly evidenceAt?: EpochMs;
  /** When the processor said what each field has. */
  readonly saidAt?: Readonly<Record<string, EpochMs>>;
  /** The times of its latest reports that name one. */
  readonly reportTimes?: readonly EpochMs[];
}

/** Maximum number of times of reports that a case keeps: the latest. */
export const maxReportTimes = 20;
const stageRule = '1 to 64 characters of a-z, 0-9 and _, such as inquiry.';
const respondBy = time('Until when the processor takes evidence. `null`: it asks for none any more.');
const reportedAt = time(
  'When the processor said so, at most a day ahead. Default: the time of the command. Of each field, the newest report ' +
    'that names it counts.',
);
export const chargebackReference = text("The processor's name for the chargeback: that of its transactions.", 'dp_1');
const cashOutId = text('The cash-out whose money it is about.', 'cash_out_1');
const stageIs = 'How far it is, in a word of the processor, such as `inquiry`, `chargeback` or `arbitration`.';
const openedBecause = 'Why the bank of the payer opened it.';
export const chargebackView = {
  processorReference: textView('dp_1', chargebackReference.description),
  cashOutId: textView('cash_out_1', cashOutId.description).optional(),
  stage: textView('inquiry', stageIs).optional(),
  reason: described(
    z.object({
      code: textView('fraudulent', forPrograms),
      text: textView('The payer denies it.', forPeople).optional(),
    }),
    openedBecause,
  ).optional(),
  respondBy: described(secondsView(), 'Until when the processor takes evidence. Absent: it asks for none.').optional(),
};
/** Schema of what a command reported of a chargeback, in a history. */
export const reportedChargebackView = z.object({
  ...chargebackView,
  respondBy: secondsView().nullable().optional(),
  reportedAt: described(secondsView(), 'When the processor said so, where the report names it.').optional(),
});

/**
 * What a command reported of a chargeback; what is absent stays.
 * @public
 */
export interface ReportedChargeback extends Omit<Chargeback, 'respondBy' | 'evidenceAt' | 'saidAt' | 'reportTimes'> {
  /** `null`: the processor asks for no evidence any more. */
  readonly respondBy?: EpochMs | null;
  /** When the processor said so. Absent: when the command was given. */
  readonly reportedAt?: EpochMs;
}

export const inSeconds = (at: EpochMs | null | undefined) => (typeof at === 'number' ? toSeconds(at) : at);
/** The partner's view of a report. */
export const showReported = ({ respondBy, reportedAt: at, ...rest }: ReportedChargeback) => ({
  ...rest,
  ...present({ respondBy: inSeconds(respondBy), reportedAt: inSeconds(at) }),
});

const reported = {
  processorReference: described(chargebackReference.input, chargebackReference.description),
  stage: described(z.string(stageRule).regex(/^[a-z0-9_]{1,64}$/, stageRule), stageIs).optional(),
  reason: described(values.reason.input, openedBecause).optional(),
  respondBy: described(respondBy.input, respondBy.description).nullable().optional(),
  reportedAt: described(reportedAt.input, reportedAt.description).optional(),
};
const identifying: readonly string[] = ['processorReference', 'reportedAt'];
const needed = 'an object with stage, reason or respondBy.';
const caseOf = <S extends z.ZodRawShape>(name: string, shape: S) =>
  z
    .strictObject(shape, needed)
    .refine((given) => notEmpty({ ...given, processorReference: undefined, reportedAt: undefined }), needed)
    .register(documentation, {
      name,
      keywords: {
        anyOf: Object.keys(shape).flatMap((field) => (identifying.includes(field) ? [] : [{ required: [field] }])),
      },
    });
const example = { chargeback: { processorReference: 'dp_1', stage: 'inquiry', respondBy: 4_102_444_800 } };

/** The input that reports a chargeback of a payment request. */
export const chargebackReport = z
  .strictObject({ chargeback: caseOf('ChargebackInput', reported), ...reasonField })
  .register(documentation, { example });
/** The input that reports a chargeback of a security deposit. */
export const depositChargebackReport = z
  .strictObject({
    chargeback: caseOf('DepositChargebackInput', {
      ...reported,
      cashOutId: described(cashOutId.input, cashOutId.description).optional(),
    }),
    ...reasonField,
  })
  .register(documentation, { example });
