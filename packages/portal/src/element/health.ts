import type { TemplateResult } from 'lit';
import type { Texts } from './i18n.ts';
import type { Unfinished } from './last-failure.ts';
import { badge } from './parts/badge.ts';
import type { Endpoint } from './portal.ts';

/** How an endpoint is called in lists. @internal */
export const endpointName = ({ label, url }: Pick<Endpoint, 'label' | 'url'>): string =>
  label ?? url.replace(/^https?:\/\//, '');

/** The health of an endpoint in a word. @internal */
export const healthBadge = ({ t }: Texts, { health }: Endpoint): TemplateResult => {
  const tones = { delivering: 'good', failing: 'bad', paused: 'warning', disabled: 'neutral' } as const;
  const isBroken = health.disabledBy === 'failing' || health.disabledBy === 'gone';
  return badge(isBroken ? 'bad' : tones[health.status], t(`health.${health.status}`));
};

/** The health of an endpoint in a sentence. @internal */
export const healthText = ({ t, relative, dateTime }: Texts, { health }: Endpoint): string => {
  const { status, failures, failingSince, pausedUntil, disabledBy = 'partner', disabledSince } = health;
  const failing =
    failingSince === undefined ? '' : t('health.failing-since', { count: failures, since: relative(failingSince) });
  switch (status) {
    case 'delivering':
      return t('health.delivering-text');
    case 'failing':
      return failing;
    case 'paused':
      return `${failing} ${t('health.paused-until', { until: dateTime(pausedUntil ?? 0) })}`.trim();
    case 'disabled': {
      const since = disabledSince === undefined ? '' : relative(disabledSince);
      return t(`health.disabled-by-${disabledBy}`, { since }).trim();
    }
  }
};

/** What waits for an endpoint that fails, and until when. @internal */
export const unfinishedText = (texts: Texts, { count, isMore, dueAt }: Unfinished): string => {
  const { t, duration } = texts;
  const left = dueAt === undefined ? 0 : dueAt * 1_000 - Date.now();
  return [
    count === 0 ? '' : isMore ? t('health.wait-many', { count }) : t('health.wait', { count }),
    dueAt === undefined ? '' : `${left > 0 ? t('health.next', { in: duration(left) }) : t('health.next-now')}.`,
  ]
    .filter((each) => each !== '')
    .join(' ');
};
