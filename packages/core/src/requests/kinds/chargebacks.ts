import { z } from 'zod';
import { err, ok, type Result } from '#result';
import { described, setLater, shownAs, value } from '../../base/fields/field.ts';
import { isSame } from '../../base/fields/merge-patch.ts';
import { present } from '../../base/fields/present.ts';
import { secondsView } from '../../base/fields/values.ts';
import {
  type Chargeback,
  chargebackReference,
  chargebackView,
  inSeconds,
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
      value(`Its latest chargebacks, as the processor told them, last reported last; at most ${maxChargebacks}.`, {
        input: z.custom<readonly Chargeback[]>(),
        view: z.array(z.object({ ...chargebackView, evidenceAt: secondsView().optional() })),
      }),
    ),
    ({ chargebacks }: WithChargebacks) =>
      chargebacks?.map(({ respondBy, evidenceAt, ...rest }) => ({
        ...rest,
        ...present({ respondBy: inSeconds(respondBy), evidenceAt: inSeconds(evidenceAt) }),
      })),
  ),
};

/** A record with what a report says of a chargeback. The same record when it says nothing new. */
export const withChargeback = <R extends WithChargebacks>(record: R, reported: object): R => {
  // Parsed input has no field that is `undefined`; its type cannot say so.
  const { respondBy, ...told } = present(reported) as ReportedChargeback;
  const { chargebacks = [] } = record;
  const before = chargebacks.find(({ processorReference }) => processorReference === told.processorReference);
  const { respondBy: earlier, ...kept } = { ...before, ...told };
  const until = respondBy === undefined ? earlier : respondBy;
  const after: Chargeback = { ...kept, ...(typeof until === 'number' ? { respondBy: until } : {}) };
  if (before && isSame(before, after)) return record;
  return { ...record, chargebacks: [...chargebacks.filter((each) => each !== before), after].slice(-maxChargebacks) };
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
  input: z.strictObject({
    processorReference: described(chargebackReference.input, chargebackReference.description),
    evidence: evidenceOfCase,
  }),
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
