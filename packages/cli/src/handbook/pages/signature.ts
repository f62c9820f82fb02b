import { verifySnippetsOf } from '@partnerkit/core/adapter';
import { type SignatureScheme, standardWebhooks } from '@partnerkit/core/wire';
import { curlOf } from '../curl.ts';
import { jsonOf } from '../document.ts';
import { sampleBody } from '../first-vector.ts';
import { code, fence, paragraphs, table } from '../markdown.ts';
import { demonstrationEndpoint, demonstrationSecret, demonstrationTime, type Vector, vectorOf } from '../vectors.ts';
import { type PageSource, places, type WritePage } from './page.ts';

/** The words after the fence of a language. */
const fenceOf: Readonly<Record<string, string>> = {
  TypeScript: 'ts',
  Python: 'python',
  PHP: 'php',
  Go: 'go',
  Ruby: 'ruby',
  Java: 'java',
  'C#': 'csharp',
  Shell: 'sh',
};

const dateOf = (until: number): string => new Date(until).toISOString().slice(0, 10);

/** Whether the time of the attempt is in what is signed. */
const isTimed = ({ headers }: Vector): boolean =>
  Object.values(headers).some((value) => value.includes(String(demonstrationTime)));

const keyText = ({ scheme }: Vector, { platform, texts }: PageSource): string =>
  scheme.usesSecret
    ? texts.t('signature.key-secret')
    : texts.t('signature.key-public', {
        name: platform.name,
        url: `${platform.origin}/.well-known/webhook-keys.json`,
      });

const vectorParts = (vector: Vector, source: PageSource): readonly (string | undefined)[] => {
  const { t } = source.texts;
  return [
    `### ${t('signature.vector')}`,
    t('signature.vector-text'),
    vector.scheme.usesSecret
      ? t('signature.vector-secret', { secret: demonstrationSecret })
      : t('signature.vector-public', { key: vector.key, endpoint: demonstrationEndpoint }),
    isTimed(vector) ? t('signature.vector-time', { time: String(demonstrationTime) }) : undefined,
    fence('sh', curlOf(vector, 'http://localhost:8000/')),
  ];
};

const schemeParts = (vector: Vector, source: PageSource): readonly (string | undefined)[] => {
  const { texts, platform } = source;
  const { t, described } = texts;
  const { scheme } = vector;
  const { signatures } = platform.settings.webhooks;
  const rows = Object.entries(scheme.documents).map(([name, { description }]) => [code(name), described(description)]);
  const snippets = verifySnippetsOf(scheme);
  return [
    `## ${Object.keys(scheme.documents).map(code).join(', ')}`,
    table([t('head.header'), t('head.content')], rows),
    signatures.includes(scheme) ? undefined : t('signature.optional'),
    keyText(vector, source),
    isTimed(vector) ? t('signature.time') : undefined,
    scheme.until === undefined ? undefined : t('signature.until', { date: dateOf(scheme.until) }),
    ...vectorParts(vector, source),
    `### ${t('signature.code')}`,
    ...(snippets.length === 0
      ? [t('signature.no-code')]
      : snippets.flatMap(({ language, code: text }) => [
          `#### ${language}`,
          fence(fenceOf[language] ?? '', texts.commented(text)),
        ])),
  ];
};

/** The signatures of webhooks: those of the kit, and one that a webhook may add. */
const schemesOf = ({ platform }: PageSource): readonly SignatureScheme[] => {
  const { signatures } = platform.settings.webhooks;
  const body = jsonOf(platform.operation('createEndpoint')?.requestBody?.content)?.schema;
  const mayAdd = body !== undefined && 'standardWebhooks' in (platform.reader.schema(body).properties ?? {});
  const own = standardWebhooks();
  return mayAdd && !signatures.some(({ name }) => name === own.name) ? [...signatures, own] : signatures;
};

/** The oldest message that is genuine: an event sent again at the end of its time, and held before its last attempt. */
const oldestDays = ({ platform: { settings } }: PageSource): number => {
  const { storedFor, heldFor, retries } = settings.webhooks;
  const attempts = retries.reduce((sum, wait) => sum + wait * 1.1, 0);
  return Math.ceil((storedFor + heldFor + attempts) / 86_400_000);
};

/** How to verify each signature that the platform sends. */
export const signaturePage: WritePage = (source) => {
  const { platform, texts } = source;
  const { t } = texts;
  const { signatures } = platform.settings.webhooks;
  const vectors = schemesOf(source).map((scheme) => vectorOf(scheme, sampleBody(platform)));
  const days = { ...{ days: oldestDays(source), name: platform.name }, ...places };
  return paragraphs([
    t('signature.intro', { name: platform.name }),
    t('signature.rules'),
    signatures.length > 1 ? t('signature.several') : undefined,
    t('signature.rotation'),
    `## ${t('signature.age')}`,
    vectors.some((vector) => !isTimed(vector)) ? t('signature.age-untimed', days) : undefined,
    vectors.some(isTimed) ? t('signature.age-timed', days) : undefined,
    t('signature.age-keys', days),
    ...vectors.flatMap((vector) => schemeParts(vector, source)),
    `## ${t('signature.find')}`,
    t('signature.find-text', places),
  ]);
};
