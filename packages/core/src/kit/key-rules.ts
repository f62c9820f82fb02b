import type { AccessTokens } from '../access/tokens/access-tokens.ts';
import { isLoopbackHttp } from '../base/http/loopback.ts';
import { isBytes } from '../base/runtime/brand.ts';
import {
  every,
  exactly,
  listOf,
  must,
  type OptionProblem,
  type OptionRule,
  optional,
  port,
  problem,
  text,
  wholeNumber,
} from '../base/runtime/option-rules.ts';
import { utf8Length } from '../base/runtime/text.ts';
import type { PartnerkitOptions } from './options.ts';
import { secretProblem, secretRemedy } from './secret.ts';

/** One value or a list of values; `problemOf` returns the end of a sentence. */
const oneOrMore =
  (noun: string, problemOf: (value: unknown) => string | undefined): OptionRule =>
  (value) => {
    if (!Array.isArray(value)) {
      const message = problemOf(value);
      return message === undefined ? [] : problem(message);
    }
    if (value.length === 0) return problem(`is empty: list at least one ${noun}.`);
    return value.flatMap((each, at) => {
      const message = problemOf(each);
      return message === undefined ? [] : problem(message, at);
    });
  };

const originProblem = (origin: unknown): string | undefined => {
  const url = typeof origin === 'string' && URL.canParse(origin) ? new URL(origin) : undefined;
  if (url?.origin === origin && (url?.protocol === 'https:' || (url && isLoopbackHttp(url)))) return undefined;
  return (
    'must be scheme and host of your API without a path, such as https://api.platform.example; ' +
    'only loopback can have http.'
  );
};

const isDistinct = (list: unknown): boolean => !Array.isArray(list) || new Set(list).size === list.length;

const tokensRule = port<AccessTokens>(
  { issue: true, verify: true },
  'Hand over jwtAccessTokens({ … }) of @partnerkit/node.',
);

const keyBytes = 32;
const sealingKey: OptionRule = (key) => {
  const remedy = "32 bytes are needed: Buffer.from(SEALING_KEY, 'base64').";
  if (typeof key === 'string') return problem(`is ${utf8Length(key)} bytes of text; ${remedy}`);
  if (!isBytes(key)) return problem(`is no Uint8Array; ${remedy}`);
  return key.length === keyBytes ? [] : problem(`has ${key.length} bytes; ${remedy}`);
};

/** The message for what is no list. */
export const noList =
  (remedy: string) =>
  (value: unknown): string =>
    `is ${value === undefined || value === null ? 'missing' : 'no list'}. ${remedy}`;
const keysRemedy = "Hand over [{ id: 'k1', key: Buffer.from(SEALING_KEY, 'base64') }].";
const keyId = text('must be 1 to 32 of A-Z a-z 0-9 _ -.', /^[A-Za-z0-9_-]{1,32}$/);

export const sealingKeysRule = every(
  listOf(exactly({ id: keyId, key: sealingKey }), noList(keysRemedy)),
  must(`is empty. ${keysRemedy}`, (keys) => (keys as readonly unknown[]).length > 0),
);

/** A value, or a function of the derived keys, whose result `keysOf` checks. */
export const orFunction =
  (rule: OptionRule): OptionRule =>
  (value) =>
    typeof value === 'function' ? [] : rule(value);

type Options = PartnerkitOptions<object, readonly []>;

/** The rules of the options that give keys. */
export const keyRules = {
  secret: optional(oneOrMore('secret', (each) => (typeof each === 'function' ? undefined : secretProblem(each)))),
  origin: optional(every(oneOrMore('origin', originProblem), must('lists an origin twice.', isDistinct))),
  tokens: orFunction(tokensRule),
} satisfies Partial<Record<keyof Options, OptionRule>>;

const versionsRule = 'must be a list of different whole numbers from 1, such as [1, 2].';

export const signingKeyVersionsRule = every(
  listOf(wholeNumber(1), versionsRule),
  must(versionsRule, (list) => (list as readonly unknown[]).length > 0 && isDistinct(list)),
);

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The problems of options that lack what `has` asks of them, whatever else is wrong. */
const needs =
  (path: keyof Options, message: string, has: (options: Partial<Options>) => boolean) =>
  (options: unknown): readonly OptionProblem[] =>
    has(Object(options)) ? [] : problem(message, path);

export const needsKeys = needs(
  'secret',
  `is missing. ${secretRemedy}`,
  ({ secret, advanced }) => isGiven(secret) || isGiven(advanced?.sealingKeys),
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
