import { codes, problemResponse } from '@partnerkit/core/adapter';
import { codesOf } from '../document.ts';
import { answerBlock, bearer, requestBlock } from '../http.ts';
import { code, paragraphs, table } from '../markdown.ts';
import { type PageSource, places, type WritePage } from './page.ts';

const codeRows = ({ platform, texts }: PageSource): readonly (readonly string[])[] => {
  const values = { name: platform.name };
  const found = new Map<string, readonly [status: string, code: string]>();
  for (const operation of platform.operations) for (const each of codesOf(operation)) found.set(each.join(' '), each);
  return [...found.values()]
    .toSorted(([a, one], [b, other]) => (a === b ? (one < other ? -1 : 1) : a < b ? -1 : 1))
    .map(([status, name]) => [status, code(name), texts.find('code', name, values) ?? texts.t('errors.other', values)]);
};

/** As the kit words it: the test of the pages sends the request. */
const emailRule = 'an e-mail address in ASCII; an international domain in its form xn--….';

const detailOf = ({ detail = '' }: { readonly detail?: string }): string => detail;

/** A problem document as the kit writes it. */
const problemOf = (code: 'missing_token' | 'not_found'): unknown => {
  const { status } = codes[code];
  return JSON.parse(String(problemResponse(status, code, detailOf(codes[code])).body));
};

/** A refusal that names wrong fields. */
const fieldErrors = ({ platform, texts: { t } }: PageSource, host: string): readonly string[] => {
  const create = platform.operation('createPaymentRequest');
  if (!create) return [];
  const { status, detail } = codes.invalid_input;
  const errors = [{ pointer: '/recipient/email', detail: emailRule }];
  return [
    t('errors.fields'),
    requestBlock({
      ...{ method: create.method, path: create.path.replace('{organisationId}', '$ACCOUNT_ID'), host, headers: bearer },
      body: { name: 'Week at the lake', amount: 120.5, currency: 'EUR', recipient: { email: 'guest' } },
    }),
    answerBlock(
      status,
      JSON.parse(String(problemResponse(status, 'invalid_input', detail ?? '', { members: { errors } }).body)),
      { type: 'application/problem+json' },
    ),
  ];
};

/** Each code with its meaning and remedy, and the usual ones as they arrive. */
export const errorsPage: WritePage = (source) => {
  const { platform, texts } = source;
  const { t } = texts;
  const account = platform.operation('getAccount');
  const login = platform.operation('login');
  if (!account || !login) return undefined;
  const host = new URL(platform.origin).host;
  const problem = 'application/problem+json';
  const read = { method: account.method, host };
  return paragraphs([
    t('errors.intro', { name: platform.name, ...places }),
    t('errors.no-token'),
    requestBlock({ ...read, path: account.path.replace('{organisationId}', '$ACCOUNT_ID') }),
    answerBlock(401, problemOf('missing_token'), { type: problem }),
    t('errors.not-found'),
    requestBlock({ ...read, path: account.path.replace('{organisationId}', 'another'), headers: bearer }),
    answerBlock(404, problemOf('not_found'), { type: problem }),
    t('errors.wrong-login', places),
    requestBlock({
      ...{ method: login.method, path: login.path, host },
      body: { grant_type: 'client_credentials', client_id: '$CLIENT_ID', client_secret: 'wrong', scope: 'USER' },
    }),
    answerBlock(401, { error: 'invalid_client', error_description: detailOf(codes.invalid_client) }),
    t('errors.login'),
    ...fieldErrors(source, host),
    `## ${t('errors.codes')}`,
    table([t('head.status'), t('head.code'), t('head.remedy')], codeRows(source)),
  ]);
};
