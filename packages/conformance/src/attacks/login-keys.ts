import { credentials, type HttpAttack } from './attack.ts';
import { byForm, byJson, loginAttack } from './login-attack.ts';

type Spoil = (text: string) => string;
/** What a wrong secret or id may look like. Failed logins are counted: past the limit the answer is 429. */
const spoiled: Readonly<Record<string, Spoil>> = {
  'a space after it': (text) => `${text} `,
  'a space before it': (text) => ` ${text}`,
  'a line end after it': (text) => `${text}\n`,
  'a tab after it': (text) => `${text}\t`,
  'a NUL after it': (text) => `${text}\u0000`,
  'a NUL and more after it': (text) => `${text}\u0000x`,
  'quotes around it': (text) => `"${text}"`,
  capitals: (text) => text.toUpperCase().replace(/^[^a-z]*$/, '$&X'),
  'its first letter missing': (text) => text.slice(1),
  'its last letter missing': (text) => text.slice(0, -1),
  'a letter more': (text) => `${text}A`,
  'itself twice': (text) => text + text,
  'an asterisk': () => '*',
  'a percent sign': () => '%',
  'a quotation mark of SQL': () => "' or '1'='1",
  'a comment of SQL': () => "x'; drop table clients; --",
  'a query of a document store': () => '{"$ne":null}',
  'a template': () => '#{7*7}{{7*7}}',
  'a header': () => 'x\r\nX-Injected: 1',
  'a path': () => '../../etc/passwd',
  __proto__: () => '__proto__',
  'the word null': () => 'null',
  '2,000 letters': () => 'x'.repeat(2_000),
  accents: () => 'é'.repeat(200),
  'a right-to-left mark': (text) => `\u202e${text}`,
  'full-width digits': (text) =>
    text.replaceAll(/[0-9]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).concat('０'),
  'a combining accent': (text) => `${text}\u0301`,
  'a zero-width space': (text) => `${text}\u200b`,
};

const wrongKeys: readonly HttpAttack[] = (['client_id', 'client_secret'] as const).flatMap((name) =>
  Object.entries(spoiled).flatMap(([what, spoil]) => [
    loginAttack(
      `a login by JSON with ${what} as ${name}`,
      byJson((fields) => ({ ...fields, [name]: spoil(String(fields[name])) })),
      [400, 401, 429],
      'login',
    ),
    loginAttack(
      `a login by form with ${what} as ${name}`,
      (target) => byForm(target, { ...credentials(target), [name]: spoil(credentials(target)[name]) }),
      [400, 401, 429],
      'login',
    ),
  ]),
);

/** A genuine secret under ids of clients that are not its own: only the store can tell. */
const foreignIds = ['00000000-0000-4000-8000-000000000000', '01930000-0000-7000-8000-000000000000'].flatMap((id) => [
  loginAttack(
    `the secret of another client, for ${id}`,
    byJson((fields) => ({ ...fields, client_id: id })),
    [401, 429],
    'login',
  ),
]);

/** Each of the last letters of the secret, changed alone: none is decoration. */
const flipped: readonly HttpAttack[] = Array.from({ length: 40 }, (_, index) =>
  loginAttack(
    `a secret whose letter ${index + 1} from the end is another one`,
    byJson(({ client_secret: secret, ...fields }) => {
      const text = String(secret);
      const at = Math.max(text.length - 1 - index, 0);
      return { ...fields, client_secret: `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}` };
    }),
    [401, 429],
    'login',
  ),
);

/** Ids and secrets that are not those of a client. */
export const loginKeys: readonly HttpAttack[] = [...wrongKeys, ...foreignIds, ...flipped];
