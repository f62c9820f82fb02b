import { ed25519, type SignatureScheme } from '@partnerkit/core/wire';

/** A secret for demonstrations: everyone knows it. */
export const demonstrationSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** The endpoint and the event of the demonstration. */
const eventId = '01910b3e-4f6a-7c1d-9e2f-3a4b5c6d7e8f';
export const demonstrationEndpoint = '019ab7c4-8f00-7000-8000-0000000000e1';
const demonstrationUrl = 'https://partner.example/webhooks';
/** The time of the attempt, in seconds since 1970: the headers of a vector are stale on purpose. */
export const demonstrationTime = 1_798_761_600;

/** A signed request to test a receiver with. */
export interface Vector {
  readonly scheme: SignatureScheme;
  readonly body: string;
  /** The headers of the signature, by their usual spelling. */
  readonly headers: Readonly<Record<string, string>>;
  /** The key of the partner: the secret, or the public key of a demonstration. */
  readonly key: string;
}

/** A platform signs with its own key: the demonstration has another, of which everyone knows both halves. */
const demonstrationOf = (scheme: SignatureScheme): { readonly scheme: SignatureScheme; readonly key: string } => {
  if (scheme.usesSecret) return { scheme, key: demonstrationSecret };
  const shown = ed25519({ keys: [{ id: 'demonstration', privateKey: new Uint8Array(32).fill(7) }] });
  return { scheme: shown, key: shown.publicKeys?.[0]?.['x'] ?? '' };
};

/** What a scheme writes for a body. */
export const vectorOf = (scheme: SignatureScheme, body: string): Vector => {
  const shown = demonstrationOf(scheme);
  const written: Record<string, string> = {};
  shown.scheme.signer([demonstrationSecret])(
    {
      ...{ id: eventId, messageId: `${eventId}_${demonstrationEndpoint}` },
      ...{ at: demonstrationTime * 1_000, body, url: demonstrationUrl },
    },
    written,
  );
  const spelled = new Map(Object.keys(scheme.documents).map((name) => [name.toLowerCase(), name]));
  const headers = Object.entries(written).map(([name, value]) => [spelled.get(name) ?? name, value] as const);
  return { scheme, body, headers: Object.fromEntries(headers), key: shown.key };
};
