import type { RequestHead, Route } from '../../base/http/route.ts';

/** What a session may do with one part of the interface. `write` includes `read`. @public */
export type ManagementAccess = 'read' | 'write';

/**
 * The parts of the management API. `audit`: who changed keys and webhooks of the account. `alerts`: the address for
 * alerts; for hosts with a handler that sends them. `sending`: pauses of sending, for operators of the host alone.
 * @public
 */
export type ManagementPart = 'keys' | 'webhooks' | 'deliveries' | 'requests' | 'audit' | 'alerts' | 'sending';

/**
 * A person who is logged in to the host's web interface.
 * @public
 */
export interface ManagementSession {
  /** The account that the person acts for. */
  readonly accountId: string;
  /** The host's id of the person; signals name it as `by`. */
  readonly userId: string;
  /** What the person may do; an absent part is refused with 403. */
  readonly can: Readonly<Partial<Record<ManagementPart, ManagementAccess>>>;
}

/**
 * What `createRequests` returns.
 * @public
 */
export interface ManagedRequests {
  /** The partner's routes. */
  readonly routes: readonly Route[];
}

/**
 * Options of `kit.managementRoutes`.
 * @public
 */
export interface ManagementOptions {
  /**
   * Reads the host's session of a request, such as its cookie. `undefined`: nobody is logged in (401). A rejection is
   * answered with 503.
   */
  readonly authorize: (request: RequestHead) => Promise<ManagementSession | undefined> | ManagementSession | undefined;
  /** Path prefix. @defaultValue '/api/v1/partner-management' */
  readonly basePath?: `/${string}`;
  /**
   * Further origins whose pages may change something, such as `https://app.example.com`. The origin of the request
   * itself always may. @defaultValue none
   */
  readonly trustedOrigins?: readonly string[];
  /**
   * The payment requests, deposits and cash-outs that persons read and give commands on, with the right `requests`.
   * @defaultValue none: the API has no operations on them
   */
  readonly requests?: ManagedRequests;
}

/** Whether a session may do something. */
export const isAllowed = ({ can }: ManagementSession, part: ManagementPart, access: ManagementAccess): boolean =>
  Object.hasOwn(can, part) && (can[part] === 'write' || can[part] === access);
