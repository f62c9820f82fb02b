import type { Platform } from '../partner/platform.ts';
import { bad, type HttpCase } from '../support/http-case.ts';
import { confirmed, event, hook, missing, wrong } from './requests.ts';

const body = event('signatures');
const legacyName = 'x-webhook-signature';

/** A webhook with a wrong `X-WEBHOOK-SIGNATURE`. */
const legacy = (
  how: string,
  spoil: (right: string, platform: Platform) => string | readonly string[],
  answer = wrong,
): HttpCase => ({
  name: `a webhook with ${how}`,
  request: hook((platform) => ({ [legacyName]: spoil(platform.sign(body), platform) }), body),
  ...answer,
});

const legacyCases: readonly HttpCase[] = [
  legacy('the signature of another body', (_right, { sign }) => sign(`${body} `)),
  legacy('a truncated signature', (right) => right.slice(1)),
  legacy('an additional digit in its signature', (right) => `${right}0`),
  legacy('a signature of 10,000 characters', () => 'a'.repeat(10_000)),
  legacy('its signature in upper case', (right) => right.toUpperCase()),
  legacy('its signature in Base64', (right) => Buffer.from(right, 'hex').toString('base64')),
  legacy('its signature after "sha1="', (right) => `sha1=${right}`),
  legacy('a signature in Latin-1', () => 'é'.repeat(40)),
  legacy('two signatures', (right) => [right, right]),
  legacy('two signatures, of which one is wrong', (right) => ['0'.repeat(40), right]),
  legacy('an empty signature', () => '', missing),
  { name: 'a webhook without a signature', request: hook(() => ({}), body), ...missing },
  {
    name: 'a webhook with the signature in the query',
    request: (platform) => ({
      ...hook(() => ({}), body)(platform),
      target: `/webhooks?x-webhook-signature=${platform.sign(body)}`,
    }),
    ...missing,
  },
];

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A webhook with wrong headers of Standard Webhooks, alone and beside a correct `X-WEBHOOK-SIGNATURE`. */
const standard = (
  how: string,
  spoil: (right: Fields, platform: Platform) => Fields,
  answer = wrong,
): readonly HttpCase[] =>
  [false, true].map((beside) => ({
    name: `a webhook of Standard Webhooks with ${how}${beside ? ', beside a good X-WEBHOOK-SIGNATURE' : ''}`,
    request: hook(
      (platform) => ({
        ...spoil(platform.signStandard(body), platform),
        ...(beside ? { [legacyName]: platform.sign(body) } : {}),
      }),
      body,
    ),
    ...answer,
  }));

const without = (name: string) => (right: Fields) =>
  Object.fromEntries(Object.entries(right).filter(([each]) => each !== name));
const replaced =
  (name: string, value: (right: string) => string | readonly string[]) =>
  (right: Fields): Fields => ({ ...right, [name]: value(String(right[name])) });
const useless = `v1,${'A'.repeat(43)}=`;

const headersOfStandard = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
const standardCases: readonly HttpCase[] = [
  ...headersOfStandard.flatMap((name) => [
    ...standard(`no ${name}`, without(name), missing),
    ...standard(
      `an empty ${name}`,
      replaced(name, () => ''),
      missing,
    ),
    ...standard(
      `two ${name}`,
      replaced(name, (right) => [right, right]),
    ),
    ...standard(
      `a ${name} of 10,000 characters`,
      replaced(name, () => 'x'.repeat(10_000)),
    ),
  ]),
  ...standard('the signature of another body', (right, { signStandard }) => ({
    ...signStandard(`${body} `),
    'webhook-id': right['webhook-id'] ?? '',
  })),
  ...standard(
    'another id',
    replaced('webhook-id', () => 'msg_2'),
  ),
  ...standard('the signature of X-WEBHOOK-SIGNATURE', (right, { sign }) => ({
    ...right,
    'webhook-signature': `v1,${sign(body)}`,
  })),
  ...standard(
    'a signature of another version',
    replaced('webhook-signature', (right) => right.replace('v1,', 'v1a,')),
  ),
  ...standard(
    'a good signature after 16 others',
    replaced('webhook-signature', (right) => `${`${useless} `.repeat(16)}${right}`),
  ),
  ...standard('a time of ten minutes ago', (_right, { signStandard }) => signStandard(body, -600)),
  ...standard('a time ten minutes ahead', (_right, { signStandard }) => signStandard(body, 600)),
  ...['0', '-1', '1.5', '1e9', '0x6740c880', '99999999999999999999', 'now'].flatMap((time) =>
    standard(
      `the time "${time}"`,
      replaced('webhook-timestamp', () => time),
    ),
  ),
];

const good = event('standard');
/** Webhooks signed by both schemes, correctly and not. */
export const signatureCases: readonly HttpCase[] = [
  {
    name: 'a webhook of Standard Webhooks',
    request: hook(({ signStandard }) => signStandard(good), good),
    ...confirmed,
  },
  ...bad('webhook', [
    ...legacyCases,
    ...standardCases,
    {
      name: 'a webhook of Standard Webhooks with a bad X-WEBHOOK-SIGNATURE beside',
      request: hook(({ signStandard }) => ({ ...signStandard(body), [legacyName]: '0'.repeat(40) }), body),
      ...wrong,
    },
  ]),
];
