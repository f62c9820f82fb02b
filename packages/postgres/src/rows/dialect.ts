import { assertOptionNames } from '@partnerkit/core/adapter';

/**
 * What an engine that speaks SQL of PostgreSQL writes or does in its own way. Absent: as PostgreSQL does.
 * @public
 */
export interface RowDialect {
  /**
   * A lock that excludes a deletion of the row, and shares the row with its changes if the engine can.
   * @defaultValue 'for key share'
   */
  readonly keep?: string;
  /**
   * A lock that excludes changes and deletion of the row, and is shared with others of its kind.
   * @defaultValue 'for share'
   */
  readonly share?: string;
  /** Whether there is `LISTEN`. `false`: workers poll. @defaultValue true */
  readonly hasListen?: boolean;
  /**
   * SQLSTATEs of transactions that the engine undid because of another one. Engines without READ COMMITTED may report
   * such a conflict as a duplicate key: then add `23505`.
   * @defaultValue ['40001', '40P01']
   */
  readonly conflicts?: readonly string[];
}

/** The dialect of PostgreSQL. */
const usual = { keep: 'for key share', share: 'for share', hasListen: true, conflicts: ['40001', '40P01'] } as const;

/** A dialect with all its fields. */
export type FullDialect = Required<RowDialect>;

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** @throws TypeError when a field is unknown or malformed. */
export const fullDialect = (caller: string, given: RowDialect = {}): FullDialect => {
  assertOptionNames(`${caller}: dialect`, given, { keep: true, share: true, hasListen: 'boolean', conflicts: true });
  const dialect = { ...usual, ...given };
  for (const name of ['keep', 'share'] as const)
    if (!isText(dialect[name]))
      throw new TypeError(`${caller}: dialect.${name}: the SQL of a lock, such as "for share".`);
  if (!Array.isArray(dialect.conflicts) || !dialect.conflicts.every(isText))
    throw new TypeError(`${caller}: dialect.conflicts: SQLSTATEs, such as ["40001"].`);
  return dialect;
};
