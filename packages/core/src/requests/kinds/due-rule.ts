import type { EpochMs } from '../../base/runtime/time.ts';
import type { RequestPolicies } from '../record/policies.ts';
import type { StoredRequest } from '../record/record.ts';

/** A command that is given by rule when its time has come. */
export interface DueCommand {
  /** When. */
  readonly at: EpochMs;
  /** The name of the command. */
  readonly command: string;
  /** Its input. */
  readonly input: object;
  /** The version that it is meant for. Absent: any. */
  readonly ifVersion?: number;
  /** Whether it only reminds: of one account, deadlines come first. @defaultValue false */
  readonly isReminder?: boolean;
}

interface Rules<R extends StoredRequest> {
  rule(record: R, policies: RequestPolicies): DueCommand | undefined;
}
/**
 * One rule: the command that it gives, and when. `undefined`: none, as the object is now. It depends on the object and
 * the policies alone, so whatever changes the object plans anew. A method, so that a rule of one kind is a rule.
 */
export type DueRule<R extends StoredRequest = StoredRequest> = Rules<R>['rule'];
