import { dedup } from './0001-dedup.ts';
import { judging } from './0001-judging.ts';
import { leasing } from './0001-leasing.ts';
import { mending } from './0001-mending.ts';
import { pruning } from './0001-pruning.ts';
import { referring } from './0001-referring.ts';
import { requests } from './0001-requests.ts';
import { settling } from './0001-settling.ts';
import { tables } from './0001-tables.ts';

/**
 * A step of the schema, for the schema `partnerkit`. It is never changed once it was released.
 * @public
 */
export interface Migration {
  /** 1 for the first. */
  readonly version: number;
  readonly name: string;
  /** The oldest version of this list that still works on the tables that it leaves: processes may be older than their database. */
  readonly worksFrom: number;
  readonly sql: string;
}

/** All steps, in order. @public */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    name: 'initial',
    worksFrom: 1,
    sql: [
      tables,
      ...mending,
      ...leasing,
      ...judging,
      ...settling,
      ...referring,
      ...pruning,
      ...dedup,
      ...requests,
    ].join('\n'),
  },
];

/** The version that this code is written for. @internal */
export const codeVersion = migrations.length;
