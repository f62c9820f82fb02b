import { z } from 'zod';
import { err, ok, type Result } from '#result';
import { withExample } from '../../base/fields/example.ts';
import { described, setLater, shownAs, value } from '../../base/fields/field.ts';
import { isSame } from '../../base/fields/merge-patch.ts';
import { present } from '../../base/fields/present.ts';
import { secondsView } from '../../base/fields/values.ts';
import { day, type EpochMs } from '../../base/runtime/time.ts';
import {
  type Chargeback,
  chargebackReference,
  chargebackView,
  inSeconds,
  maxReportTimes,
  type ReportedChargeback,
} from '../fields/chargeback.ts';
import { evidenceOfCase } from '../fields/evidence.ts';
import type { CommandContext } from '../record/record.ts';
import { type CommandRefusal, wrongField } from '../record/refusal.ts';

/** Maximum number of cases in a record: the latest. The history has all. */
const maxChargebacks = 5;

interface WithChargebacks {
  readonly chargebacks?: readonly Chargeback[];
}

/** The field of a kind that has chargebacks. */
export const chargebackField = {
  chargebacks: shownAs(
    setLater(
      value(`Its latest chargebacks, as the processor told them, newest last; at most ${maxChargebacks}.`, {
        input: z.custom<readonly Chargeback[]>(),
        view: z.array(z.object({ ...chargebackView, evidenceAt: secondsView().optional() })),
      }),
    ),
    ({ chargebacks }: WithChargebacks) =>
      chargebacks?.map(({ respondBy, evidenceAt, saidAt: _saidAt, reportTimes: _times, ...rest }) => ({
        ...rest,
        ...present({ respondBy: inSeconds(respondBy), evidenceAt: inSeconds(evidenceAt) }),
      })),
  ),
};

/** When the processor last said anything of a case. */
const newestOf = ({ saidAt = {} }: Chargeback): EpochMs => Math.max(0, ...Object.values(saidAt));

/** A case after a report: each field is that of the newest report which names it, in whatever order they come. */
const afterReport = (
  before: Chargeback | undefined,
  { processorReference, reportedAt, ...told }: ReportedChargeback,
  now: EpochMs,
): Chargeback => {
  const { saidAt = {}, reportTimes = [], ...kept } = before ?? {};
  const at = reportedAt ?? now;
  const newer = Object.entries(told).filter(([field]) => at >= (saidAt[field] ?? 0));
  const { respondBy, ...fields } = { ...kept, ...Object.fromEntries(newer) };
  return {
    ...fields,
    processorReference,
    // `null` is no time: evidence is not asked for.
    ...(typeof respondBy === 'number' ? { respondBy } : {}),
    saidAt: { ...saidAt, ...Object.fromEntries(newer.map(([field]) => [field, at])) },
    ...(reportedAt === undefined || reportTimes.includes(at)
      ? present({ reportTimes: before?.reportTimes })
      : { reportTimes: [...reportTimes, at].slice(-maxReportTimes) }),
  };
};

/** Whether two states of a case say the same, whenever it was said. */
const saysSame = (before: Chargeback, { saidAt: _saidAt, ...after }: Chargeback): boolean => {
  const { saidAt: _before, ...told } = before;
  return isSame(told, after);
};

/** A record with what a report says of a chargeback. The same record when the report was stored before. */
export const withChargeback = <R extends WithChargebacks>(
  record: R,
  // Parsed input has no field that is `undefined`; its type cannot say so.
  given: object,
  { now }: Pick<CommandContext, 'now'>,
): Result<R, CommandRefusal> => {
  const reported = present(given) as ReportedChargeback;
  const { reportedAt = now, processorReference } = reported;
  if (reportedAt > now + day)
    return err(wrongField('/chargeback/reportedAt', 'whole seconds since 1970-01-01T00:00:00Z, at most a day ahead.'));
  const { chargebacks = [] } = record;
  const before = chargebacks.find((each) => each.processorReference === processorReference);
  const after = afterReport(before, reported, now);
  if (before && saysSame(before, after)) return ok(record);
  const all = [...chargebacks.filter((each) => each !== before), after];
  return ok({ ...record, chargebacks: all.sort((a, b) => newestOf(a) - newestOf(b)).slice(-maxChargebacks) });
};

/** The command that reports how far a chargeback is. */
export const updateChargeback = {
  event: 'update',
  by: 'host',
  reasonCode: 'chargeback_updated',
  skipsUnchanged: true,
  description:
    'Reports how far a chargeback is, why it was opened, and until when the processor takes evidence. What is absent stays.',
} as const;

/** The command by which a partner gives evidence for a chargeback. */
export const giveEvidence = {
  event: 'update',
  by: 'partner',
  concerns: ({ chargebacks = [] }: WithChargebacks) => chargebacks.length > 0,
  reasonCode: 'evidence_given',
  description: 'Gives evidence for a chargeback: references to files, which the history has.',
  input: withExample(
    z.strictObject({
      processorReference: described(chargebackReference.input, chargebackReference.description),
      evidence: evidenceOfCase,
    }),
    { processorReference: 'dp_1', evidence: [{ id: '01J8Z0.jpg', kind: 'photo' }] },
  ),
  apply: <R extends WithChargebacks>(
    record: R,
    { processorReference: named }: { readonly processorReference: string },
    { now: evidenceAt }: CommandContext,
  ): Result<R, CommandRefusal> => {
    const { chargebacks = [] } = record;
    if (!chargebacks.some((each) => each.processorReference === named))
      return err(wrongField('/processorReference', 'that of a chargeback which the platform has reported.'));
    const given = chargebacks.map((each) => (each.processorReference === named ? { ...each, evidenceAt } : each));
    return ok({ ...record, chargebacks: given });
  },
} as const;
