import type { EpochMs, EpochSeconds } from '../runtime/time.ts';

/**
 * One secret of a client, as stored: never the secret itself.
 * @public
 */
export interface ClientSecret {
  /** The readable part of the secret: `<prefix>_<id>_…`. */
  readonly id: string;
  readonly label?: string;
  /** SHA-256 of the whole secret, 64 hex digits: enough for 256 random bits. */
  readonly digest: string;
  readonly createdAt: EpochMs;
  /** Ends logins with it from then on. Tokens made with it end when it is revoked. */
  readonly expiresAt?: EpochMs;
  readonly revoked: boolean;
  /** When it last logged in, to the minute: an old secret that fell silent can go. */
  readonly lastUsedAt?: EpochMs;
}

/**
 * An OAuth 2.0 client of one account; the web interface calls it an API key (specification §1.1, §1.4).
 * @public
 */
export interface Client {
  readonly id: string;
  readonly accountId: string;
  /** The descriptive label that was typed in. */
  readonly name: string;
  readonly createdAt: EpochMs;
  readonly disabled: boolean;
  /** At most five that are not revoked. */
  readonly secrets: readonly ClientSecret[];
  /** Tokens issued before this second are refused. */
  readonly tokensNotBefore: EpochSeconds;
  /** Counts the changes, for compare-and-swap. */
  readonly version: number;
}

/**
 * A client as a screen of the host may show it: without the digests.
 * @public
 */
export type ClientView = Omit<Client, 'secrets' | 'version'> & {
  readonly secrets: readonly Omit<ClientSecret, 'digest'>[];
};

/** @internal */
export const viewClient = ({ version: _version, secrets, ...client }: Client): ClientView => ({
  ...client,
  secrets: secrets.map(({ digest: _digest, ...secret }) => secret),
});

/** What can happen to a client, as signals name it. @public */
export type ClientChangeName =
  | 'added'
  | 'renamed'
  | 'secret_added'
  | 'secret_expires'
  | 'secret_revoked'
  | 'tokens_revoked'
  | 'token_revoked'
  | 'disabled'
  | 'enabled';
