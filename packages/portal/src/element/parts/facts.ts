import { html, type TemplateResult } from 'lit';
import type { Content } from './notice.ts';

/** The details of an object: names and values. @internal */
export const facts = (all: readonly (readonly [name: string, value: Content] | undefined)[]): TemplateResult =>
  html`<dl>
    ${all.flatMap((fact) => (fact ? [html`<dt>${fact[0]}</dt><dd>${fact[1]}</dd>`] : []))}
  </dl>`;
