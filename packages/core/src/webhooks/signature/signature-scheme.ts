import type { HmacAlgorithm } from '../../base/crypto/hmac.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import type { SignatureVerdict } from './webhook-signature.ts';

/** A request to sign. @internal */
export interface SignedMessage {
  /** The id of the event, the same on every attempt. */
  readonly id: string;
  /** The id of the event for one endpoint: {@link messageIdOf}. */
  readonly messageId: string;
  /** The time of the attempt. */
  readonly at: EpochMs;
  readonly body: string;
  /** The URL of the endpoint, as it was registered. */
  readonly url: string;
}

/**
 * The id of an event for one endpoint. What is signed contains it, so that a key that signs for several endpoints signs
 * for one receiver only. It is the same for each attempt and each repeated delivery, whatever signs it.
 */
export const messageIdOf = (eventId: string, endpointId: string): string => `${eventId}_${endpointId}`;

/** Which messages are for a receiver. @internal */
export interface Addressee {
  /** The ids of its endpoints. Empty: it does not say. */
  readonly endpoints: readonly string[];
  /** The URL of its endpoint, as it was registered. */
  readonly url: string | undefined;
}

/** Adds the headers of a signature. */
export type Sign = (message: SignedMessage, headers: Record<string, string>) => void;

/** What a header of a signature contains, for documents. */
export interface HeaderDocument {
  readonly description: string;
  /** A regular expression of its values. */
  readonly pattern?: string;
}

/** The HMAC of a body alone, keyed with the text of the secret, in lower-case hex behind a fixed text. */
export interface BodyHmac {
  readonly algorithm: HmacAlgorithm;
  /** What stands before the digest in the header. */
  readonly prefix: string;
}

/** A request to verify. @internal */
export interface SignedRequest {
  /** A header by its lower-case name; a repeated one is joined with `, `. */
  readonly header: (name: string) => string | undefined;
  readonly body: Uint8Array;
}

/**
 * Whether a request carries a signature of a scheme, and whether it fits. `other`: its header carries signatures of
 * another scheme alone, which must be valid. `wrong_endpoint`: it fits, and names an endpoint of another receiver.
 * @internal
 */
export type SchemeVerdict = 'absent' | 'other' | 'wrong_endpoint' | SignatureVerdict;

type Verify = (request: SignedRequest, now: EpochMs) => SchemeVerdict;

/**
 * A way to sign requests, as a value: `specificationSignature()`, `standardWebhooks()`, `hmac({ … })` or
 * `ed25519({ … })`. The sender signs with it, and a receiver verifies with it.
 * @public
 */
export interface SignatureScheme {
  /** A name for messages. */
  readonly name: string;
  /** The headers that it sends, in lower case. */
  readonly headers: readonly string[];
  /** What each header contains, by its usual spelling. @internal */
  readonly documents: Readonly<Record<string, HeaderDocument>>;
  /** Its form, if it is the HMAC of a body alone: receivers in any language can verify it. @internal */
  readonly bodyHmac?: BodyHmac;
  /** Whether it uses SHA-1. A strong signature beside it must be valid too. */
  readonly isWeak: boolean;
  /** When it ends, in milliseconds since 1970: neither sent nor accepted from then on. Absent: it does not end. */
  readonly until?: EpochMs;
  /** The public keys of its signatures, as JWKs (RFC 8037). Absent with symmetric keys. */
  readonly publicKeys?: readonly Readonly<Record<string, string>>[];
  /** Whether it signs with the webhook secret of the endpoint. */
  readonly usesSecret: boolean;
  /** The rule that the secret breaks; `undefined`: none. @internal */
  readonly secretProblem: (secret: string) => string | undefined;
  /** Prepares the secrets of an endpoint: the current one first, then the next one. @internal */
  readonly signer: (secrets: readonly [string, ...string[]]) => Sign;
  /** Prepares the verification with any of the secrets, of messages for this receiver. @internal */
  readonly verifier: (secrets: readonly string[], addressee: Addressee) => Verify;
}

/** Options that every signature has. @public */
export interface SignatureOptions {
  /**
   * When it ends, in milliseconds since 1970, for the old signature of a changeover: it is neither sent nor accepted
   * from then on. @defaultValue it does not end
   */
  readonly until?: EpochMs;
}

/** Maximum number of signatures of one profile. */
export const maxSignatures = 3;

/** The part `until` of a scheme. @throws TypeError */
export const untilOf = (caller: string, { until }: SignatureOptions): { readonly until?: EpochMs } => {
  if (until === undefined) return {};
  if (!(Number.isSafeInteger(until) && until > 0))
    throw new TypeError(`${caller}: until is a time in milliseconds since 1970, such as Date.UTC(2027, 2, 1).`);
  return { until };
};

/** Whether a scheme has ended. @internal */
export const hasEnded = ({ until }: Pick<SignatureScheme, 'until'>, now: EpochMs): boolean =>
  until !== undefined && until <= now;
