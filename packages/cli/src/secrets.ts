import { UsageError } from './cli-error.ts';

/** Environment variables. @internal */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The webhook secrets of an endpoint: the current one, and during a rotation the next. @internal */
export type Secrets = readonly [string, ...string[]];

/**
 * The webhook secrets: those of `--secret`, or of the variable WEBHOOK_SECRET, separated by spaces.
 * @throws UsageError when there is none.
 * @internal
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

/** A delivery header, `name: value`. @throws UsageError @internal */
export const readDeliveryHeader = (text: string): { readonly name: string; readonly value: string } => {
  const match = /^([\w!#$%&'*+.^`|~-]+):\s*(\S.*)$/.exec(text);
  if (!match) throw new UsageError('--delivery-header needs a header and its value, such as "X-Api-Key: abc".');
  return { name: match[1] ?? '', value: match[2] ?? '' };
};
