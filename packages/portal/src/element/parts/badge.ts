import { html, type TemplateResult } from 'lit';

/** What a colour means. @internal */
export type Tone = 'good' | 'bad' | 'warning' | 'neutral';

/** A short state with a colour. @internal */
export const badge = (tone: Tone, text: string): TemplateResult =>
  html`<span class="badge ${tone}" part="badge">${text}</span>`;
