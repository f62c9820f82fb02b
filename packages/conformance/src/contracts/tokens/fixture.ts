import type { AccessTokens } from '@partnerkit/core/adapter';
import type { Fixture } from '../support/contract.ts';
import type { PrivateJwk } from './forge.ts';

/**
 * Access tokens of a platform, and of another platform with the same configuration.
 * @public
 */
export interface AccessTokensFixture extends Fixture {
  /** The adapter under test. */
  readonly tokens: AccessTokens;
  /** The same adapter with the same options, but with its own keys. */
  readonly foreign: AccessTokens;
  /** The private keys that `tokens` verifies, the signing one first. Absent: its tokens are opaque. */
  readonly keys?: readonly [PrivateJwk, ...PrivateJwk[]];
}
