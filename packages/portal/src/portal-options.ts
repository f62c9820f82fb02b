import type { ManagementOptions, Route } from '@partnerkit/core';

/** What `portalRoutes` uses of a kit. @public */
export interface PortalKit {
  /** Makes the routes of the management API. */
  managementRoutes(options: ManagementOptions): readonly Route[];
}

/**
 * Options of `portalRoutes`, beside those of the management API.
 * @public
 */
export interface PortalOptions extends Omit<ManagementOptions, 'basePath'> {
  /** Path of the page; the management API is at `api` below it. @defaultValue '/partner-portal' */
  readonly basePath?: `/${string}`;
  /** Title of the page. @defaultValue `API keys and webhooks`, in the language of the page */
  readonly title?: string;
  /** Where a person logs in whose session has ended. @defaultValue none: the page only says so */
  readonly loginUrl?: string;
  /**
   * URL of the partner API, for the commands that a partner copies.
   * @defaultValue `/api/v1/partner` on the origin of the page
   */
  readonly apiUrl?: string;
  /**
   * Origins that may show the page in a frame, such as `https://app.example.com`; `'self'` for the origin of the page.
   * @defaultValue none
   */
  readonly frameAncestors?: readonly string[];
  /**
   * Messages of further languages, by language tag. English stands in for what is missing. The keys are those of
   * `@partnerkit/portal/messages/en.json`.
   * @defaultValue Dutch, English, French, German, Italian and Spanish
   */
  readonly messages?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}
