import { html, nothing, type TemplateResult } from 'lit';
import { outcomeText } from './explanation.ts';
import type { Texts } from './i18n.ts';
import type { Attempt } from './portal.ts';

/** The outcome of an attempt, its duration, and what the receiver answered. @internal */
export const attemptText = (texts: Texts, attempt: Attempt): TemplateResult =>
  html`<strong>${outcomeText(texts, attempt)}</strong>
    <span class="muted">${texts.t('attempt.duration', { ms: Math.round(attempt.durationMs) })}</span>
    ${attempt.kind === 'answered' && attempt.body !== '' ? html`<pre tabindex="0">${attempt.body}</pre>` : nothing}`;
