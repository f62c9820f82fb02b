import { html, nothing, type TemplateResult } from 'lit';
import type { Place } from '../place.ts';
import type { Portal } from '../portal.ts';
import { link } from './link.ts';

/** A choice between places. @internal */
export const choices = (
  portal: Portal,
  label: string,
  all: readonly (readonly [place: Place, text: string, isCurrent: boolean])[],
): TemplateResult =>
  html`<nav class="choices" aria-label=${label}>
    ${all.map(([place, text, isCurrent]) => link(portal, place, text, { isCurrent }))}
  </nav>`;

/** What narrows a list; each chip leads to the list without it. @internal */
export const chips = (
  portal: Portal,
  all: readonly (readonly [place: Place, text: string])[],
): TemplateResult | typeof nothing =>
  all.length === 0
    ? nothing
    : html`<ul class="chips" aria-label=${portal.texts.t('filter')}>
      ${all.map(
        ([place, text]) =>
          html`<li>
            ${link(portal, place, html`${text} <span aria-hidden="true">×</span>`, {
              look: 'chip',
              label: portal.texts.t('filter.remove', { filter: text }),
            })}
          </li>`,
      )}
    </ul>`;
