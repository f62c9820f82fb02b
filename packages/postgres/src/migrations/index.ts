import { textOf } from './texts.ts';

/**
 * A migration, for the schema `partnerkit`. Never changed after its release.
 * @public
 */
export interface Migration {
  /** 1 for the first. */
  readonly version: number;
  /** The migration's name. */
  readonly name: string;
  /** The oldest code version that works with the migrated tables: processes may be older than their database. */
  readonly worksFrom: number;
  /** Its statements. */
  readonly sql: string;
}

/** All migrations, in order. @public */
export const migrations: readonly Migration[] = [
  { version: 1, name: 'initial', worksFrom: 1, sql: textOf('0001_initial') },
];

/** The schema version that this code requires. */
export const codeVersion = migrations.length;
