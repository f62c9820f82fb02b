import type { WireRequest } from './exchange.ts';
import type { Platform } from './platform.ts';

/**
 * One request, and the answer that every framework must give.
 * @public
 */
export interface HttpCase {
  readonly name: string;
  readonly request: (platform: Platform) => WireRequest;
  readonly status: number;
  /** The body's text, or a check of it. */
  readonly body: string | ((body: string) => boolean);
  /** Every header that is set by us, but the length; `x-request-id` is any id. */
  readonly headers: Readonly<Record<string, string>>;
}
