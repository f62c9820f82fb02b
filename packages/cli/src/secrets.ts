import { UsageError } from './cli-error.ts';

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The webhook secrets of an endpoint: the current one, and during a rotation the next. */
export type Secrets = readonly [string, ...string[]];

/**
 * The webhook secrets: those of `--secret`, or of the variable WEBHOOK_SECRET, separated by spaces.
 * @throws UsageError when there is none.
 */
export const readSecrets = (given: readonly string[] | undefined, { WEBHOOK_SECRET }: Environment): Secrets => {
  const [first, ...more] = given ?? (WEBHOOK_SECRET ?? '').split(' ').filter((secret) => secret !== '');
  if (first === undefined)
    throw new UsageError(
      'Which webhook secret? Set WEBHOOK_SECRET to it; two during a rotation, separated by a space.',
    );
  if (first === '' || more.includes('')) throw new UsageError('--secret is empty. Name it as the platform showed it.');
  return [first, ...more];
};

/** The public keys of Ed25519: `x` of a JWK, 32 bytes in Base64url. @throws UsageError */
export const readPublicKeys = (given: readonly string[] = []): readonly Uint8Array[] =>
  given.map((text) => {
    const bytes = Uint8Array.from(Buffer.from(text, 'base64url'));
    if (bytes.length === 32) return bytes;
    throw new UsageError('--public-key is x of a key in /.well-known/webhook-keys.json of the platform.');
  });

/** The ids of endpoints. @throws UsageError */
export const readEndpoints = (given: readonly string[] = []): readonly string[] => {
  const wrong = given.find((text) => !/^[0-9a-f-]{36}$/.test(text));
  if (wrong === undefined) return given;
  throw new UsageError(`--endpoint is the id of an endpoint, a UUID in lower case, and not ${JSON.stringify(wrong)}.`);
};

/** A delivery header, `name: value`. @throws UsageError */
export const readDeliveryHeader = (text: string): { readonly name: string; readonly value: string } => {
  const match = /^([\w!#$%&'*+.^`|~-]+):\s*(\S.*)$/.exec(text);
  if (!match) throw new UsageError('--delivery-header needs a header and its value, such as "X-Api-Key: abc".');
  return { name: match[1] ?? '', value: match[2] ?? '' };
};
