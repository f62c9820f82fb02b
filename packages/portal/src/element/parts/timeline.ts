import { html, nothing, type TemplateResult } from 'lit';
import type { Tone } from './badge.ts';
import type { Content } from './notice.ts';

/** One point of a timeline. @internal */
export interface TimelinePoint {
  readonly tone: Tone;
  readonly title: Content;
  /** Time, distance and duration. */
  readonly beside: Content;
  readonly content?: Content;
}

/** What happened, oldest first. @internal */
export const timeline = (label: string, points: readonly TimelinePoint[]): TemplateResult =>
  html`<ol class="timeline" aria-label=${label}>
    ${points.map(
      ({ tone, title, beside, content = nothing }) =>
        html`<li class=${tone}>
          <div class="row spread"><strong>${title}</strong><span class="muted number">${beside}</span></div>
          ${content}
        </li>`,
    )}
  </ol>`;
