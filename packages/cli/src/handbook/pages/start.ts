import { curlOf } from '../curl.ts';
import { firstVector } from '../first-vector.ts';
import { fence, paragraphs } from '../markdown.ts';
import { receiverOf } from '../receiver.ts';
import { demonstrationSecret } from '../vectors.ts';
import { ownOperations, testEventId } from './operations.ts';
import { linkTo, type PageSource, pageNames, places, type WritePage } from './page.ts';

const receiverParts = (source: PageSource): readonly string[] => {
  const { t } = source.texts;
  const vector = firstVector(source.platform);
  const program = vector && receiverOf(vector.scheme, source.platform, source.texts);
  if (!vector || !program) return [`## ${t('start.receiver')}`, t('start.receiver-other', places)];
  return [
    `## ${t('start.receiver')}`,
    t('start.receiver-text'),
    fence('python receiver.py', program),
    `## ${t('start.try')}`,
    t('start.try-text'),
    fence('sh', `WEBHOOK_SECRET=${demonstrationSecret} python3 receiver.py`),
    t('start.try-send'),
    fence('sh', curlOf(vector, 'http://localhost:8000/')),
  ];
};

/** How a developer gets events without a public address. `[]`: programs cannot, or `listen` signs in another way. */
const listenParts = ({ platform, texts }: PageSource): readonly string[] => {
  const { origin, settings } = platform;
  const isSignedAlike = ['specification', 'Standard Webhooks'].includes(firstVector(platform)?.scheme.name ?? '');
  if (!isSignedAlike || platform.operation('pullEvents') === undefined) return [];
  const lines = [
    `export PARTNER_API=${origin}${settings.basePath} ORGANISATION_ID=…`,
    `export CLIENT_ID=… CLIENT_SECRET=… # ${texts.t('start.of-key')}`,
    'npx @partnerkit/cli listen --forward-to http://localhost:8000/',
  ];
  return [texts.t('start.connect-listen', { name: platform.name }), fence('sh', lines.join('\n'))];
};

/** The way to the first webhook. */
export const startPage: WritePage = (source) => {
  const { platform, texts } = source;
  const values = { ...places, name: platform.name };
  const { t } = texts;
  const manages = platform.operation('createEndpoint') !== undefined;
  const canAsk = platform.operation(testEventId) !== undefined;
  return paragraphs([
    t('start.intro', values),
    [
      t('start.account', values),
      t('start.key'),
      t('start.endpoint'),
      ...(platform.objects.length > 0 ? [t('start.choose')] : []),
    ]
      .map((line) => `- ${line}`)
      .join('\n'),
    ...receiverParts(source),
    `## ${t('start.connect', values)}`,
    t(manages ? 'start.connect-steps-api' : 'start.connect-steps', values),
    canAsk ? t('start.connect-api', values) : undefined,
    ...listenParts(source),
    `## ${t('start.call')}`,
    t('start.call-text', values),
    `## ${t('start.next')}`,
    pageNames
      .filter(
        (name) =>
          name !== 'start' &&
          name !== 'changes' &&
          (name !== 'operations' || ownOperations(platform).length > 0) &&
          (name !== 'requests' || platform.operation('createSecurityDeposit') !== undefined) &&
          (name !== 'webhooks' || manages),
      )
      .map((name) => {
        const meaning = t(`${name}.description`, values);
        return `- ${t('values.sentence', { value: linkTo(name, source), meaning })}`;
      })
      .join('\n'),
  ]);
};
