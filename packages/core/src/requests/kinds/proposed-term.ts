import { z } from 'zod';
import { err, ok, type Result } from '#result';
import { optional, saying, setLater, value } from '../../base/fields/field.ts';
import { present } from '../../base/fields/present.ts';
import { type DurationMs, day, type EpochMs } from '../../base/runtime/time.ts';
import type { RequestPolicies } from '../record/policies.ts';
import { type CommandRefusal, wrongField } from '../record/refusal.ts';
import type { RequestContext } from './fill-in.ts';
import type { Term } from './term.ts';

const rule = 'a whole number of days from 1 to 3650.';
const days = (description: string) =>
  value(description, { input: z.int(rule).min(1, rule).max(3_650, rule), view: z.int() });
const within = 'At most what the platform allows; a platform that gives the term itself refuses the field.';
const guaranteed = days(`For how many days the money of deposits created from it is to be guaranteed. ${within}`);
const claim = days(`For how many days cash-outs of deposits created from it may be created. ${within}`);

/** The lengths that a template proposes. */
export const proposingFields = { guaranteedForDays: optional(guaranteed), claimForDays: optional(claim) };

const counted = 'Counts from `deposit_success`; the platform may give another end.';
/** The lengths that the template of a deposit proposed. */
export const proposedFields = {
  guaranteedForDays: setLater(saying(guaranteed, `For how many days its template proposes the guarantee. ${counted}`)),
  claimForDays: setLater(saying(claim, `For how many days its template proposes cash-outs. ${counted}`)),
};

interface Proposal {
  readonly guaranteedForDays?: number;
  readonly claimForDays?: number;
}

const longest = (limit: DurationMs | undefined): number => Math.floor((limit ?? 0) / day);
/** The longest lengths that a template may propose, in days. 0: none. */
const limits = ({ proposedTerms: terms }: RequestPolicies) => ({
  guaranteedForDays: longest(terms?.guaranteedFor),
  claimForDays: longest(terms?.claimFor),
});

/** Refuses a length that is longer than the platform allows. */
export const checkProposal = <T extends object>(
  template: T & Readonly<Partial<Record<keyof Proposal, number | null | undefined>>>,
  policies: RequestPolicies,
): Result<T, CommandRefusal> => {
  const allowed = Object.entries(limits(policies));
  const [wrong] = allowed.filter(([field, most]) => (template[field as keyof Proposal] ?? 0) > most);
  if (!wrong) return ok(template);
  const [field, most] = wrong;
  return err(wrongField(`/${field}`, most === 0 ? 'leave it out: the platform gives the term.' : `at most ${most}.`));
};

/** What the template of a new deposit proposes, as far as the platform allows it now. */
export const proposedBy = ({ template, policies }: Pick<RequestContext, 'template' | 'policies'>): Proposal => {
  const { guaranteedForDays = 0, claimForDays = 0 } = template ?? {};
  const most = limits(policies);
  const guaranteed = Math.min(guaranteedForDays, most.guaranteedForDays);
  const claim = Math.min(claimForDays, most.claimForDays);
  return { ...(guaranteed ? { guaranteedForDays: guaranteed } : {}), ...(claim ? { claimForDays: claim } : {}) };
};

const after = (days: number | undefined, now: EpochMs): EpochMs | undefined =>
  days === undefined ? undefined : now + days * day;
/** The term that a deposit has which succeeds now, where the host gives no other. */
export const proposedTerm = ({ guaranteedForDays, claimForDays }: Proposal, now: EpochMs): Term =>
  present({ guaranteedUntil: after(guaranteedForDays, now), claimUntil: after(claimForDays, now) });
