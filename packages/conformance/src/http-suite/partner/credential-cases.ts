import { invalidClient, refused } from '../support/answers.ts';
import { bad, type HttpCase } from '../support/http-case.ts';
import type { Key } from '../support/keys.ts';
import { deadKeys } from './dead-keys.ts';
import type { Platform } from './platform.ts';
import { basic, byBasic, byForm, credentials, login, loginWith } from './requests.ts';

/** One key, sent in each of the three ways. */
const threeWays = (what: string, keyOf: (platform: Platform) => Key): readonly HttpCase[] => {
  const fields = (platform: Platform) => {
    const { id, secret } = keyOf(platform);
    return { ...credentials(platform), client_id: id, client_secret: secret };
  };
  return [
    {
      name: `login by JSON with ${what}`,
      request: (platform) => login(JSON.stringify(fields(platform))),
      ...invalidClient,
    },
    { name: `login by form with ${what}`, request: (platform) => byForm(fields(platform)), ...invalidClient },
    {
      name: `login by HTTP Basic with ${what}`,
      request: (platform) => {
        const { id, secret } = keyOf(platform);
        return byBasic(basic(encodeURIComponent(id), encodeURIComponent(secret)));
      },
      ...invalidClient,
    },
  ];
};

const spoiled: Readonly<Record<string, (key: Key) => Key>> = {
  'a space after the secret': ({ id, secret }) => ({ id, secret: `${secret} ` }),
  'a line end after the secret': ({ id, secret }) => ({ id, secret: `${secret}\n` }),
  'quotes around the secret': ({ id, secret }) => ({ id, secret: `"${secret}"` }),
  'the secret in capitals': ({ id, secret }) => ({ id, secret: secret.toUpperCase() }),
  'id and secret in each other’s place': ({ id, secret }) => ({ id: secret, secret: id }),
  'the client_id in capitals': ({ id, secret }) => ({ id: id.toUpperCase(), secret }),
  'a client_id of 3,000 characters': ({ secret }) => ({ id: 'x'.repeat(3_000), secret }),
  'a client_secret of 3,000 characters': ({ id }) => ({ id, secret: 'x'.repeat(3_000) }),
  'a NUL in the client_id': ({ id, secret }) => ({ id: `${id}\0`, secret }),
  '"__proto__" for the client_id': ({ secret }) => ({ id: '__proto__', secret }),
};

/** A lone surrogate has no UTF-8 form: only JSON can carry one. */
const loneSurrogates = ['client_id', 'client_secret'].map(
  (name): HttpCase => ({
    name: `login by JSON with a lone surrogate for the ${name}`,
    request: loginWith((fields) => ({ ...fields, [name]: '\ud800' })),
    ...invalidClient,
  }),
);

const brokenBasic: Readonly<Record<string, string>> = {
  'the scheme alone': 'Basic',
  'invalid Base64': 'Basic !',
  'truncated Base64': 'Basic YTpiA',
  'no colon': `Basic ${Buffer.from('id').toString('base64')}`,
  'no client_id': basic('', 'secret'),
  'no client_secret': basic('id', ''),
  'an invalid encoding': basic('%zz', 'secret'),
  'bytes that are not UTF-8': `Basic ${Buffer.from([0x61, 0x3a, 0xff]).toString('base64')}`,
};

/** Wrong credentials: every response is the same. */
export const credentialCases: readonly HttpCase[] = bad('credentials', [
  ...Object.keys(deadKeys).flatMap((why) => threeWays(why, (platform) => platform.deadKeys[why] as Key)),
  ...Object.entries(spoiled).flatMap(([what, spoil]) =>
    threeWays(what, ({ clientId, clientSecret }) => spoil({ id: clientId, secret: clientSecret })),
  ),
  ...loneSurrogates,
  ...Object.entries(brokenBasic).map(
    ([what, authorization]): HttpCase => ({
      name: `login by HTTP Basic with ${what}`,
      request: () => byBasic(authorization),
      ...invalidClient,
    }),
  ),
  ...(
    [
      ['two pairs', `${basic('id', 'secret')}, ${basic('id', 'secret')}`],
      ['two headers', [basic('id', 'secret'), basic('id', 'secret')]],
      ['a token beside it', [basic('id', 'secret'), 'Bearer x']],
    ] as const
  ).map(
    ([what, authorization]): HttpCase => ({
      name: `login by HTTP Basic with ${what}`,
      request: () => byBasic(authorization),
      ...refused(400, 'invalid_request', 'Send one Authorization header, or none.'),
    }),
  ),
]);
