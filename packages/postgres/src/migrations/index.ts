import { initial } from './0001_initial.ts';

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
export const migrations: readonly Migration[] = [{ version: 1, name: 'initial', worksFrom: 1, sql: initial }];

/** The version that this code is written for. @internal */
export const codeVersion = migrations.length;
