import { paragraphs, table } from '../markdown.ts';
import { type PageSource, places, type WritePage } from './page.ts';

const answerRows = ({ platform, texts }: PageSource): readonly (readonly string[])[] => {
  const { t } = texts;
  const longest = texts.duration(platform.settings.webhooks.maxRetryAfter);
  return [
    ['200–299', t('retries.done')],
    ['410', t('retries.gone')],
    [t('retries.pause-answer'), t('retries.pause', { longest })],
    [t('retries.none'), t('retries.again')],
  ];
};

const scheduleRows = ({ platform, texts }: PageSource): readonly (readonly string[])[] => {
  const waits = [0, ...platform.settings.webhooks.retries];
  let since = 0;
  return waits.map((wait, index) => {
    since += wait;
    return [String(index + 1), texts.duration(wait), texts.duration(since)];
  });
};

const limitRows = ({ platform, texts }: PageSource): readonly (readonly string[])[] => {
  const { t, duration } = texts;
  const { limits, tokenLifetime, webhooks } = platform.settings;
  const rule = ({ points, window }: { readonly points: number; readonly window: number }): string =>
    t('limit.in', { points, window: duration(window) });
  return [
    [t('limit.body'), texts.bytes(webhooks.maxBodyBytes)],
    [t('limit.endpoints'), String(webhooks.maxEndpoints)],
    [t('limit.deadline'), duration(webhooks.deadline)],
    [t('limit.stored'), duration(webhooks.storedFor)],
    [t('limit.held'), duration(webhooks.heldFor)],
    [t('limit.token'), duration(tokenLifetime)],
    [t('limit.failed'), rule(limits.failedLogins)],
    ...(limits.logins ? [[t('limit.logins'), rule(limits.logins)]] : []),
    [t('limit.calls'), limits.calls ? rule(limits.calls) : t('limit.none')],
  ];
};

/** What the platform does after each answer, and its limits. */
export const retriesPage: WritePage = (source) => {
  const { platform, texts } = source;
  const { t, duration } = texts;
  const { webhooks } = platform.settings;
  const { name } = platform;
  const manages = platform.operation('createEndpoint') !== undefined;
  return paragraphs([
    `## ${t('retries.answers')}`,
    t('retries.answers-text', { deadline: duration(webhooks.deadline) }),
    table([t('head.answer'), t('head.reaction', { name })], answerRows(source)),
    `## ${t('retries.schedule')}`,
    t('retries.schedule-text', { attempts: webhooks.retries.length + 1 }),
    table([t('head.attempt'), t('head.after'), t('head.since')], scheduleRows(source)),
    t(manages ? 'retries.exhausted-api' : 'retries.exhausted', {
      ...{ ...places, name, stored: duration(webhooks.storedFor) },
    }),
    `## ${t('retries.failing')}`,
    t('retries.failing-text', { failures: webhooks.failuresToPause, pauses: duration(webhooks.pauses[0] ?? 0) }),
    t(manages ? 'retries.disabled-api' : 'retries.disabled', {
      ...places,
      failing: duration(webhooks.disableAfter.failing),
      failures: webhooks.disableAfter.failures,
      held: duration(webhooks.heldFor),
    }),
    `## ${t('retries.limits')}`,
    table([t('head.limit'), t('head.value')], limitRows(source)),
    t('limit.429'),
  ]);
};
