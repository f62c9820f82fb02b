import { html, nothing, type TemplateResult } from 'lit';
import type { Place } from '../place.ts';
import type { Portal } from '../portal.ts';
import { link } from './link.ts';
import type { Content } from './notice.ts';

interface HeadingOptions {
  /** The list that the screen belongs to. */
  readonly from?: readonly [place: Place, label: string];
  /** What stands beside the title. */
  readonly state?: Content;
  readonly actions?: Content;
}

/** The heading of a screen: where it belongs, its title and state, and what a person can do. @internal */
export const heading = (
  portal: Pick<Portal, 'hrefOf' | 'go'>,
  title: string,
  { from, state = nothing, actions = nothing }: HeadingOptions = {},
): TemplateResult =>
  html`<header class="heading">
    ${from ? html`<p class="from">${link(portal, ...from)} <span class="muted" aria-hidden="true">/</span></p>` : nothing}
    <div class="row spread">
      <div class="row"><h2 id="screen-title" tabindex="-1">${title}</h2>${state}</div>
      ${actions === nothing ? nothing : html`<div class="row">${actions}</div>`}
    </div>
  </header>`;

/** A box with a title. @internal */
export const card = (title: Content, content: Content, beside: Content = nothing): TemplateResult =>
  html`<section class="card" part="card">
    ${
      title === nothing
        ? nothing
        : html`<div class="row spread"><h3>${title}</h3>${beside === nothing ? nothing : html`<div class="row">${beside}</div>`}</div>`
    }
    ${content}
  </section>`;
