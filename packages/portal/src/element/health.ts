import type { TemplateResult } from 'lit';
import type { Texts } from './i18n.ts';
import { badge } from './parts/badge.ts';
import type { Endpoint, EndpointStatistics } from './portal.ts';

/** How an endpoint is called in lists. @internal */
export const endpointName = ({ label, url, id }: Partial<Pick<Endpoint, 'label' | 'url' | 'id'>>): string =>
  label ?? url?.replace(/^https?:\/\//i, '') ?? id ?? '';

/** The health of an endpoint in a word. @internal */
export const healthBadge = ({ t }: Texts, { health, kind }: Endpoint): TemplateResult => {
  if (kind === 'pull' && health.status === 'delivering') return badge('good', t('webhook.pull'));
  const tones = { delivering: 'good', failing: 'bad', paused: 'warning', disabled: 'neutral' } as const;
  const isBroken = health.disabledBy === 'failing' || health.disabledBy === 'gone';
  return badge(isBroken ? 'bad' : tones[health.status], t(`health.${health.status}`));
};

/** The health of an endpoint in a sentence. @internal */
export const healthText = ({ t, relative, dateTime }: Texts, { health, kind }: Endpoint): string => {
  const {
    status,
    failures,
    failingSince,
    pausedUntil,
    sendingPausedSince,
    disabledBy = 'partner',
    disabledSince,
  } = health;
  const failing =
    failingSince === undefined ? '' : t('health.failing-since', { count: failures, since: relative(failingSince) });
  switch (status) {
    case 'delivering':
      return kind === 'pull' ? '' : t('health.delivering-text');
    case 'failing':
      return failing;
    case 'paused':
      if (sendingPausedSince !== undefined)
        return `${failing} ${t('health.sending-paused', { since: dateTime(sendingPausedSince) })}`.trim();
      return `${failing} ${t('health.paused-until', { until: dateTime(pausedUntil ?? 0) })}`.trim();
    case 'disabled': {
      const since = disabledSince === undefined ? '' : relative(disabledSince);
      return t(`health.disabled-by-${disabledBy}`, { since }).trim();
    }
  }
};

/** How far the program of a pull endpoint has read. */
const readText = ({ t, relative }: Texts, { waiting, pulledAt }: EndpointStatistics): string =>
  [
    t('health.unread', { count: waiting }),
    pulledAt === undefined ? t('health.never-read') : t('health.last-read', { since: relative(pulledAt) }),
  ].join(' ');

/**
 * What waits for an endpoint that does not deliver, and until when; or what a pull endpoint has not read. Empty:
 * nothing. @internal
 */
export const waitingText = (
  texts: Texts,
  { health, kind }: Endpoint,
  statistics: EndpointStatistics | undefined,
): string => {
  const { t, duration } = texts;
  if (kind === 'pull' && statistics) return readText(texts, statistics);
  if (health.status === 'delivering' || !statistics) return '';
  const { waiting, held, nextAttemptAt } = statistics;
  // No time is known at which the platform resumes.
  const isStopped = health.sendingPausedSince !== undefined;
  const count = health.status === 'disabled' ? held : waiting;
  const left = nextAttemptAt === undefined ? 0 : nextAttemptAt * 1_000 - Date.now();
  const next = left > 0 ? t('health.next', { in: duration(left) }) : t('health.next-now');
  return [
    count === 0 ? '' : t(health.status === 'disabled' ? 'health.held' : 'health.wait', { count }),
    nextAttemptAt === undefined || health.status === 'disabled' || isStopped
      ? ''
      : next.endsWith('.')
        ? next
        : `${next}.`,
  ]
    .filter((each) => each !== '')
    .join(' ');
};
