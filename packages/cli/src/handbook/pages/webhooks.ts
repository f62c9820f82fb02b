import { paragraphs, table } from '../markdown.ts';
import { places, type WritePage } from './page.ts';

/** What to do with webhooks by program: which operation fits, and the steps of each task. */
export const webhooksPage: WritePage = ({ platform, texts }) => {
  const { t, duration } = texts;
  if (platform.operation('createEndpoint') === undefined) return undefined;
  const { webhooks } = platform.settings;
  const values = { ...places, stored: duration(webhooks.storedFor), held: duration(webhooks.heldFor) };
  const situations = [
    ['webhooks.disabled', 'webhooks.disabled-do'],
    ['webhooks.missed', 'webhooks.missed-do'],
    ['webhooks.paused', 'webhooks.paused-do'],
    ['webhooks.failed', 'webhooks.failed-do'],
    ['webhooks.one', 'webhooks.one-do'],
    ['webhooks.lost', 'webhooks.lost-do'],
  ] as const;
  return paragraphs([
    t('webhooks.intro', values),
    `## ${t('webhooks.again')}`,
    table(
      [t('head.situation'), t('head.operation')],
      situations.map(([situation, operation]) => [t(situation, values), t(operation, values)]),
    ),
    t('webhooks.again-text', values),
    `## ${t('webhooks.why')}`,
    t('webhooks.why-steps', values),
    `## ${t('webhooks.rotate')}`,
    t('webhooks.rotate-steps', values),
    `## ${t('webhooks.pull')}`,
    t('webhooks.pull-steps', values),
  ]);
};
