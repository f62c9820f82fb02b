import { errAsync, type ResultAsync } from '#result';
import { checkAccountId } from '../accounts/account-id.ts';
import { type ListFailure, readPage } from '../pagination/cursor.ts';
import { assertListOptions, type ListOptions } from '../pagination/list-options.ts';
import type { Page } from '../pagination/page.ts';
import { callPort, type Unavailable } from '../runtime/call-port.ts';
import type { AuditEntry } from './audit-entry.ts';
import type { AuditChain, AuditStore, ChainPlace, LinkedEntry } from './audit-store.ts';
import type { Auditor } from './auditor.ts';

/**
 * Something that is wrong with the audit trail.
 *
 * - `changed`: the entry at this place is not as it was written, or its link is not.
 * - `missing`: entries before this place, or at the end of the chain, were removed.
 * - `foreign`: the entry was not written by this platform, or with a secret that the kit does not have.
 * @public
 */
export interface AuditProblem {
  readonly kind: 'changed' | 'missing' | 'foreign';
  /** The shard of the chain. */
  readonly shard: number;
  /** The place in the chain; 0 for an entry without a link. */
  readonly position: number;
  /** The id of the entry. Absent: there is none. */
  readonly id?: string;
}

/**
 * The result of `audit.verify`.
 * @public
 */
export interface AuditReport {
  /** Number of linked entries. */
  readonly linked: number;
  /** Number of entries without a link: those of about the last minute. */
  readonly unlinked: number;
  /** What is wrong, at most 100 of each shard. Empty: nothing was changed, removed or put in. */
  readonly problems: readonly AuditProblem[];
}

/**
 * Reads and verifies the audit trail: each change of API keys and endpoints, with who made it.
 * @public
 */
export interface AuditTrail {
  /**
   * Lists the entries of an account, oldest first unless `newestFirst`.
   * @example
   * const read = await kit.audit.list(accountId, { page: { newestFirst: true } });
   * if (read.isOk()) for (const { at, type, subjectId, by } of read.value.items) show(at, type, subjectId, by);
   * @throws TypeError when an option is unknown.
   */
  list(accountId: string, options?: ListOptions): ResultAsync<Page<AuditEntry>, ListFailure>;
  /**
   * Lists the entries of all accounts. Never show it to a partner.
   * @throws TypeError when an option is unknown.
   */
  listAll(options?: ListOptions): ResultAsync<Page<AuditEntry>, ListFailure>;
  /**
   * Verifies every entry and its link. Needs the secrets with which the entries were written.
   * @example
   * const report = await kit.audit.verify();
   * if (report.isOk()) for (const { kind, id } of report.value.problems) show(kind, id);
   */
  verify(): ResultAsync<AuditReport, Unavailable>;
}

export interface AuditTrailDeps {
  readonly store: Pick<AuditStore, 'listEntries' | 'readChains' | 'readLinked' | 'readUnlinked'>;
  readonly auditor: Pick<Auditor, 'isGenuine' | 'follows'>;
  /** All shards. */
  readonly shards: readonly number[];
}

/** Entries of one read. */
const pieceSize = 500;
const maxProblems = 100;

/** Creates the {@link AuditTrail} of a kit. */
export const createAuditTrail = ({ store, auditor, shards }: AuditTrailDeps): AuditTrail => {
  const listed = (
    caller: string,
    accountId: string | undefined,
    options: ListOptions,
  ): ResultAsync<Page<AuditEntry>, ListFailure> => {
    assertListOptions(caller, options, {});
    const { page = {} } = options;
    const scope = ['audit', accountId ?? null, page.newestFirst === true];
    return callPort(() => readPage(scope, page, (opened) => store.listEntries(accountId, opened))).andThen(
      (read) => read,
    );
  };

  const judge = (shard: number, before: ChainPlace, entry: LinkedEntry): readonly AuditProblem[] => {
    const { id, position } = entry;
    const problem = (kind: AuditProblem['kind']): AuditProblem => ({ kind, shard, position, id });
    if (!auditor.isGenuine(entry)) return [problem('foreign')];
    if (position !== before.position + 1) return [problem('missing')];
    return auditor.follows(before, entry) ? [] : [problem('changed')];
  };

  const chainOf = async (shard: number): Promise<AuditChain> => {
    const [chain] = await store.readChains([shard]);
    return chain ?? { shard, last: { position: 0, link: '' }, pruned: { position: 0, link: '' } };
  };

  const verifyChain = async (shard: number): Promise<AuditReport> => {
    const { last, pruned } = await chainOf(shard);
    const problems: AuditProblem[] = [];
    let [linked, before]: [number, ChainPlace] = [0, pruned];
    for (let piece = await store.readLinked(shard, before.position, pieceSize); piece.length > 0; ) {
      for (const entry of piece) {
        problems.push(...judge(shard, before, entry));
        before = entry;
        linked++;
      }
      piece = await store.readLinked(shard, before.position, pieceSize);
    }
    if (before.position < last.position) problems.push({ kind: 'missing', shard, position: last.position });
    // A worker deleted old entries meanwhile.
    if ((await chainOf(shard)).pruned.position !== pruned.position) return verifyChain(shard);
    const recent = await store.readUnlinked(shard, pieceSize);
    for (const entry of recent)
      if (!auditor.isGenuine(entry)) problems.push({ kind: 'foreign', shard, position: 0, id: entry.id });
    return { linked, unlinked: recent.length, problems: problems.slice(0, maxProblems) };
  };

  return {
    list: (accountId, options = {}) => {
      const acting = checkAccountId(accountId);
      return acting.isErr() ? errAsync(acting.error) : listed('audit.list', accountId, options);
    },
    listAll: (options = {}) => listed('audit.listAll', undefined, options),
    verify: () =>
      callPort(async () => {
        const reports: AuditReport[] = [];
        for (const shard of shards) reports.push(await verifyChain(shard));
        const sum = (of: (report: AuditReport) => number): number => reports.reduce((all, each) => all + of(each), 0);
        return {
          linked: sum((report) => report.linked),
          unlinked: sum((report) => report.unlinked),
          problems: reports.flatMap((report) => report.problems),
        };
      }),
  };
};
