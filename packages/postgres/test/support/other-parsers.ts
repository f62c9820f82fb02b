import pg from 'pg';

const { TEXT, VARCHAR, ...others } = pg.types.builtins;

/** The types of which a host replaces the parsers: all but texts. */
export const replaced: readonly number[] = Object.values(others);

/** What a host makes of a value: an object of its own, which only says what it is when it is asked for a text. */
export const wrap = (text: string) => ({ toString: () => text });

/** The parsers of `pg`, replaced. */
export const types = {
  getTypeParser: (type: number) => (replaced.includes(type) ? wrap : pg.types.getTypeParser(type)),
};
