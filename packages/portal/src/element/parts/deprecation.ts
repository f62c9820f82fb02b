import { html, nothing, type TemplateResult } from 'lit';
import type { Texts } from '../i18n.ts';
import type { Endpoint, EventCatalogue } from '../portal.ts';
import { pairOf, pairsSelected } from '../selection.ts';
import { type Content, notice } from './notice.ts';

type Deprecation = NonNullable<EventCatalogue['objects'][number]['events'][number]['deprecated']>;

/** When something ends, and what replaces it. @internal */
export const deprecationText = ({ t, dateTime }: Texts, { since, until, instead }: Deprecation): string =>
  [
    until === undefined
      ? t('deprecated.since', { time: dateTime(since) })
      : t('deprecated.until', { time: dateTime(until) }),
    ...(instead === undefined ? [] : [t('deprecated.instead', { instead })]),
  ].join(' ');

/** What an endpoint receives that ends: event types that it selects, and signatures of its profile. @internal */
export const deprecations = (
  texts: Texts,
  { events, profile }: Endpoint,
  { objects, endingSignatures }: EventCatalogue,
  now = Date.now() / 1_000,
): Content => {
  const { t, dateTime, list } = texts;
  const selected = pairsSelected(objects, events);
  const ofEvents = objects.flatMap(({ objectName, events: each }) =>
    each.flatMap(({ type, deprecated }): readonly TemplateResult[] => {
      const name = pairOf(objectName, type);
      return deprecated && selected.has(name)
        ? [html`<li><code>${name}</code>: ${deprecationText(texts, deprecated)}</li>`]
        : [];
    }),
  );
  const ofSignatures = endingSignatures
    .filter((each) => each.profile === profile && each.until > now)
    .map(
      ({ headers, until }) =>
        html`<li>${t('deprecated.signature', { headers: list(headers), time: dateTime(until) })}</li>`,
    );
  const all = [...ofEvents, ...ofSignatures];
  if (all.length === 0) return nothing;
  return notice('warning', html`<p>${t('deprecated.webhook')}</p><ul>${all}</ul>`);
};
