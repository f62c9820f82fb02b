import type { World } from './world.ts';

/** The invalid part of a call. Each is a heading of the table of bad input. */
export type BadCallGroup = 'endpoint URL' | 'delivery header' | 'endpoint' | 'client' | 'event' | 'delivery';

/** A call of the kit with bad input, and its failure. */
export interface BadCall {
  readonly group: BadCallGroup;
  /** The invalid value. */
  readonly input: string;
  /** The arguments of each call with this failure, by the name of the call (`clients.create`). */
  readonly calls: Readonly<Record<string, (world: World) => readonly unknown[]>>;
  /** Detail of the failure: in a Result, or in the rejection of `publish` and `publishMany`. */
  readonly code: string;
  readonly detail?: string;
}

export const identifierRule = '1 to 256 bytes of text without control characters.';

/** Values that are not identifiers. */
export const noIdentifiers: Readonly<Record<string, unknown>> = {
  'an empty text': '',
  '257 bytes': 'é'.repeat(128).concat('x'),
  'a NUL': 'SECRET\0',
  'a line end': 'SECRET\n',
  'a lone surrogate': 'SECRET\ud800',
  'a number': 7,
  'an object': { SECRET: 'SECRET' },
};

/** Values that are not times. */
export const noTimes: Readonly<Record<string, unknown>> = {
  NaN: Number.NaN,
  'a time before 1970': -1,
  'a fraction': 1.5,
  'an infinite time': Number.POSITIVE_INFINITY,
  'a text': '2024-11-21',
  'a Date': new Date(0),
};
