import type { DurationMs } from '../runtime/time.ts';
import type { NewAuditEntry } from './audit-entry.ts';

/** A page of the facts that time brought. */
interface FactPage<P> {
  /** An entry for each fact, made by `Auditor.fact`. */
  readonly entries: readonly NewAuditEntry[];
  /** The place of the next page. `undefined`: this is the last one. */
  readonly next: P | undefined;
  /** Called once the entries are stored: what was read for them may go. @defaultValue nothing */
  readonly stored?: () => Promise<void>;
}

/** Finds facts that time brought; workers write their entries. `P` is a place between two pages. */
export interface FactSource<P = unknown> {
  /** Approximate interval in which a worker reads all pages. */
  readonly every: DurationMs;
  /** Reads a page, the first one without `after`. Facts of accounts for which `isOwn` is false are left out. */
  readFacts(isOwn: (accountId: string) => boolean, after: P | undefined): Promise<FactPage<P>>;
}
