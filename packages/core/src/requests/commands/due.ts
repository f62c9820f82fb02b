import type { RequestKind } from '../kinds/define-kind.ts';
import type { DueCommand } from '../kinds/due-rule.ts';
import type { RequestPolicies } from '../record/policies.ts';
import { isPastDue, type StoredRequest } from '../record/record.ts';

/** A command that an object waits for. */
export interface Due extends DueCommand {
  /** The name of the rule. */
  readonly name: string;
}

/** Everything that an object waits for. What was due before its import is left out. */
export const due = (
  { rules = {}, waitsIn = [] }: RequestKind,
  record: StoredRequest,
  policies: RequestPolicies,
): readonly Due[] =>
  waitsIn.includes(record.status)
    ? Object.entries(rules).flatMap(([name, rule]) => {
        const command = rule(record, policies);
        return command && !isPastDue(record, command.at) ? [{ name, ...command }] : [];
      })
    : [];
