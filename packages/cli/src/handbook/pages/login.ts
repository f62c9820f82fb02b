import { codesOf, successOf } from '../document.ts';
import { answerBlock, bearer, requestBlock } from '../http.ts';
import { fence, paragraphs } from '../markdown.ts';
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
    `## ${t('login.secret')}`,
    t('login.secret-text'),
    t('login.failed', { points: failedLogins.points, window: texts.duration(failedLogins.window) }),
  ]);
};
