import type { Route } from '@partnerkit/core';
import type { AccessTokens } from '@partnerkit/core/adapter';
import type { HttpSuiteOptions } from '../http-suite.ts';
import type { SuiteReceiver } from '../partner/platform.ts';

/** Options of `standardsHttpSuite`. @public */
export interface StandardsHttpSuiteOptions extends Pick<HttpSuiteOptions, 'test' | 'start'> {
  /** Access tokens as JWTs (RFC 9068) with ES256. Their issuer is a URL with a path. */
  readonly tokens: AccessTokens;
  /** The private key by which they are signed, as a JWK: it signs tokens that the platform would not issue. */
  readonly signingKey: {
    readonly kid: string;
    readonly kty: string;
    readonly crv: string;
    readonly x: string;
    readonly y: string;
    readonly d?: string;
  };
  /** Creates the route of a receiver, as in `httpSuite`. */
  readonly receiver: (wanted: SuiteReceiver) => Route;
}
