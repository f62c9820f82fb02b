import { html, type TemplateResult } from 'lit';
import type { Texts } from '../i18n.ts';

const iso = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/** How long ago a time was, or how long ahead it is. Its title is the exact time. @internal */
export const ago = (texts: Texts, seconds: number): TemplateResult =>
  html`<time datetime=${iso(seconds)} title=${texts.dateTime(seconds)}>${texts.relative(seconds)}</time>`;

/** A time with seconds and zone. @internal */
export const exactly = (texts: Texts, seconds: number): TemplateResult =>
  html`<time datetime=${iso(seconds)}>${texts.dateTime(seconds)}</time>`;

/** The time of a day, with seconds. Its title is the exact time. @internal */
export const clockTime = (texts: Texts, seconds: number): TemplateResult =>
  html`<time datetime=${iso(seconds)} title=${texts.dateTime(seconds)}>${texts.clock(seconds)}</time>`;
