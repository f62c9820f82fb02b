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
  const program = vector && receiverOf(vector.scheme, source.platform);
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

/** The way to the first webhook. */
export const startPage: WritePage = (source) => {
  const { platform, texts } = source;
  const values = { ...places, name: platform.name };
  const { t } = texts;
  const canAsk = platform.operation(testEventId) !== undefined;
  return paragraphs([
    t('start.intro', values),
    [t('start.account', values), t('start.key'), t('start.endpoint')].map((line) => `- ${line}`).join('\n'),
    ...receiverParts(source),
    `## ${t('start.connect', values)}`,
    t('start.connect-steps', values),
    canAsk ? t('start.connect-api', values) : undefined,
    `## ${t('start.call')}`,
    t('start.call-text', values),
    `## ${t('start.next')}`,
    pageNames
      .filter(
        (name) =>
          name !== 'start' && name !== 'changes' && (name !== 'operations' || ownOperations(platform).length > 0),
      )
      .map((name) => `- ${linkTo(name, source)}: ${t(`${name}.description`, values)}`)
      .join('\n'),
  ]);
};
