import type { TemplateResult } from 'lit';
import type { Texts } from './i18n.ts';
import type { Endpoint } from './portal.ts';
import { badge } from './templates.ts';

/** The health of an endpoint in a word. @internal */
export const healthBadge = ({ t }: Texts, { health }: Endpoint): TemplateResult => {
  const kinds = { delivering: 'good', failing: 'bad', paused: 'warning', disabled: 'neutral' } as const;
  return badge(kinds[health.status], t(`health.${health.status}`));
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
