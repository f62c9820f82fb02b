import { codesOf, rightOf, successOf } from '../document.ts';
import { answerBlock, bearer, requestBlock } from '../http.ts';
import { code, fence, paragraphs, table } from '../markdown.ts';
import type { Platform } from '../platform.ts';
import type { Texts } from '../texts/texts.ts';
import { places, type WritePage } from './page.ts';

const python = (url: string): string => `import json
import os
import urllib.request

credentials = {
    "grant_type": "client_credentials",
    "client_id": os.environ["CLIENT_ID"],
    "client_secret": os.environ["CLIENT_SECRET"],
    "scope": "USER",
}
request = urllib.request.Request(
    "${url}",
    data=json.dumps(credentials).encode(),
    headers={"Content-Type": "application/json"},
)
with urllib.request.urlopen(request, timeout=30) as response:
    token = json.load(response)["access_token"]
`;

/** The rights that operations need. */
const rightRows = ({ operations }: Platform, { t }: Texts): readonly (readonly string[])[] => {
  const rights = [...new Set(operations.flatMap((each) => rightOf(each) ?? []))].toSorted();
  return rights.map((right) => {
    const [part = '', access] = right.split(':');
    return [code(right), t(access === 'read' ? 'login.reads' : 'login.changes', { part: part.replaceAll('_', '-') })];
  });
};

/** The login with an API key. */
export const loginPage: WritePage = ({ platform, texts }) => {
  const { t } = texts;
  const { origin, settings } = platform;
  const login = platform.operation('login');
  if (!login) return undefined;
  const answer = successOf(login, platform.reader);
  const host = new URL(origin).host;
  const body = {
    grant_type: 'client_credentials',
    client_id: '$CLIENT_ID',
    client_secret: '$CLIENT_SECRET',
    scope: 'USER',
  };
  const hasNetworks = platform.operations.some((each) =>
    codesOf(each).some(([, code]) => code === 'address_not_allowed'),
  );
  const { failedLogins } = settings.limits;
  const rights = rightRows(platform, texts);
  const revoke = platform.operation('revokeToken');
  const revocation = revoke
    ? [
        `## ${t('login.revoke')}`,
        t('login.revoke-text'),
        requestBlock({
          ...{ method: revoke.method, path: revoke.path, host },
          body: { token: '$ACCESS_TOKEN', client_id: '$CLIENT_ID', client_secret: '$CLIENT_SECRET' },
        }),
      ]
    : [];
  return paragraphs([
    t('login.intro'),
    t('login.token-endpoint', { url: `${origin}${login.path}` }),
    t('words'),
    requestBlock({ method: login.method, path: login.path, host, body }),
    t('answered'),
    answerBlock(answer?.status ?? 200, answer?.example),
    t('login.lifetime', { lifetime: texts.duration(settings.tokenLifetime) }),
    t('login.use', places),
    fence('http', `Authorization: ${bearer.Authorization}`),
    t('login.other-forms'),
    ...(hasNetworks ? [t('login.networks')] : []),
    `## ${t('login.python')}`,
    t('login.python-text'),
    fence('python', python(`${origin}${login.path}`)),
    ...revocation,
    ...(rights.length > 0
      ? [
          `## ${t('login.rights')}`,
          t('login.rights-text', { ...places, name: platform.name }),
          table([t('head.right'), t('head.effect')], rights),
        ]
      : []),
    `## ${t('login.secret')}`,
    t('login.secret-text'),
    t('login.failed', { points: failedLogins.points, window: texts.duration(failedLogins.window) }),
  ]);
};
