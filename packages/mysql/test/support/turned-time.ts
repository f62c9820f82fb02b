import { serverTime } from '../../src/rows/rows.ts';

/** The time of the store, which tests turn. */
export const turnedTime = `(${serverTime} + (select ahead from test_clock))`;
