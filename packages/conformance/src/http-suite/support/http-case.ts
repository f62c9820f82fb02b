import type { Platform } from '../partner/platform.ts';
import type { WireRequest } from './exchange.ts';

/** The invalid part of a request. Each is a heading of the table of bad input. */
export type BadGroup =
  | 'login'
  | 'credentials'
  | 'body'
  | 'content type'
  | 'size'
  | 'token'
  | 'path'
  | 'method'
  | 'header'
  | 'webhook'
  | 'webhook key'
  | 'webhook encoding'
  | 'webhook body';

/** One request, and the response that every framework must return. */
export interface HttpCase {
  readonly name: string;
  /** Absent for a valid request. */
  readonly bad?: BadGroup;
  readonly request: (platform: Platform) => WireRequest;
  readonly status: number;
  /** The body's text, or a check of it. */
  readonly body: string | ((body: string) => boolean);
  /**
   * Every header that partnerkit sets, except the length. `x-request-id` is any id, and a `link` has `next` for its
   * cursor.
   */
  readonly headers: Readonly<Record<string, string>>;
}

/** Puts cases under a heading of the table of bad input. */
export const bad = (group: BadGroup, cases: readonly HttpCase[]): readonly HttpCase[] =>
  cases.map((each) => ({ ...each, bad: group }));
