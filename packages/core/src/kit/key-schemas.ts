import { z } from 'zod';
import type { AccessTokens } from '../access/tokens/access-tokens.ts';
import { isLoopbackHttp } from '../base/http/loopback.ts';
import { isBytes } from '../base/runtime/brand.ts';
import { exactly, portSchema, wholeNumberSchema } from '../base/runtime/option-schemas.ts';
import { utf8Length } from '../base/runtime/text.ts';
import type { PartnerkitOptions } from './options.ts';
import { secretProblem, secretRemedy } from './secret.ts';

/** Schema of one value or a list of values; `problemOf` returns the end of a sentence. */
const oneOrMore = (noun: string, problemOf: (value: unknown) => string | undefined) =>
  z
    .unknown()
    .superRefine((value, context) => {
      const list: readonly unknown[] = Array.isArray(value) ? value : [value];
      if (list.length === 0) context.addIssue({ code: 'custom', message: `is empty: list at least one ${noun}.` });
      for (const [at, each] of list.entries()) {
        const message = problemOf(each);
        if (message !== undefined)
          context.addIssue({ code: 'custom', message, path: Array.isArray(value) ? [at] : [] });
      }
    })
    .optional();

const originProblem = (origin: unknown): string | undefined => {
  const url = typeof origin === 'string' && URL.canParse(origin) ? new URL(origin) : undefined;
  if (url?.origin === origin && (url?.protocol === 'https:' || (url && isLoopbackHttp(url)))) return undefined;
  return (
    'must be scheme and host of your API without a path, such as https://api.platform.example; ' +
    'only loopback can have http.'
  );
};

const isDistinct = (list: unknown): boolean => !Array.isArray(list) || new Set(list).size === list.length;

const tokensSchema = portSchema<AccessTokens>(
  { issue: true, verify: true },
  'Hand over jwtAccessTokens({ … }) of @partnerkit/node.',
);

const keyBytes = 32;
const sealingKey = z.unknown().superRefine((key, context) => {
  const wrong = (message: string): void => context.addIssue({ code: 'custom', message });
  const remedy = "32 bytes are needed: Buffer.from(SEALING_KEY, 'base64').";
  if (typeof key === 'string') wrong(`is ${utf8Length(key)} bytes of text; ${remedy}`);
  else if (!isBytes(key)) wrong(`is no Uint8Array; ${remedy}`);
  else if (key.length !== keyBytes) wrong(`has ${key.length} bytes; ${remedy}`);
});

/** The message for what is no list. */
export const noList =
  (remedy: string) =>
  ({ input }: { readonly input?: unknown }): string =>
    `is ${input === undefined || input === null ? 'missing' : 'no list'}. ${remedy}`;
const keysRemedy = "Hand over [{ id: 'k1', key: Buffer.from(SEALING_KEY, 'base64') }].";
const keyIdRule = 'must be 1 to 32 of A-Z a-z 0-9 _ -.';

/** Schema of a ring of sealing keys. */
export const sealingKeysSchema = z
  .array(exactly({ id: z.string(keyIdRule).regex(/^[A-Za-z0-9_-]{1,32}$/, keyIdRule), key: sealingKey }), {
    error: noList(keysRemedy),
  })
  .min(1, `is empty. ${keysRemedy}`);

/** Schema of a value or a function of the derived keys, whose result `keysOf` checks. */
const orFunction = (schema: z.ZodType) =>
  z.unknown().superRefine((value, context) => {
    const issues = typeof value === 'function' ? [] : (schema.safeParse(value).error?.issues ?? []);
    context.issues.push(...(issues as z.core.$ZodRawIssue[]));
  });

type Options = PartnerkitOptions<object, readonly []>;

/** Schemas of the options that are keys, or give keys. */
export const keySchemas = {
  secret: oneOrMore('secret', (secret) => (typeof secret === 'function' ? undefined : secretProblem(secret))),
  origin: oneOrMore('origin', originProblem).refine(isDistinct, 'lists an origin twice.'),
  tokens: orFunction(tokensSchema),
  sealingKeys: orFunction(sealingKeysSchema).optional(),
} satisfies Partial<Record<keyof Options, z.ZodType>>;

const versionsRule = 'must be a list of different whole numbers from 1, such as [1, 2].';

export const signingKeyVersionsSchema = z
  .array(wholeNumberSchema(1), versionsRule)
  .min(1, versionsRule)
  .refine(isDistinct, versionsRule);

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Whether options have what `has` asks of them, whatever else is wrong. */
const needs = (path: keyof Options, error: string, has: (options: Partial<Options>) => boolean) =>
  [(options: unknown) => has(Object(options)), { path: [path] as PropertyKey[], error, when: () => true }] as const;

export const needsKeys = needs(
  'secret',
  `is missing. ${secretRemedy}`,
  ({ secret, sealingKeys }) => isGiven(secret) || isGiven(sealingKeys),
);

export const needsSecret = needs(
  'tokens',
  'is a function: call it, or give secret and origin, of which it makes tokens.',
  ({ tokens, secret, origin }) => typeof tokens !== 'function' || (isGiven(secret) && isGiven(origin)),
);

export const metadataNeedsOrigin = needs(
  'origin',
  'is missing: oauth.metadata: true describes it.',
  ({ origin, oauth }) => Object(oauth).metadata !== true || isGiven(origin),
);
