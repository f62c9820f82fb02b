import { html, nothing, type TemplateResult } from 'lit';
import type { Place } from '../place.ts';
import type { Portal } from '../portal.ts';
import type { Content } from './notice.ts';

interface LinkOptions {
  /** A look that is not that of a link in a text. */
  readonly look?: string;
  /** The link leads to the place where the person is. */
  readonly isCurrent?: boolean;
  readonly label?: string;
}

/** A link to a place. The browser opens it in another tab when a person asks for that. @internal */
export const link = (
  { hrefOf, go }: Pick<Portal, 'hrefOf' | 'go'>,
  place: Place,
  content: Content,
  { look = '', isCurrent = false, label }: LinkOptions = {},
): TemplateResult =>
  html`<a
    class=${look}
    part=${look === 'button primary' ? 'button primary' : nothing}
    href=${hrefOf(place)}
    aria-current=${isCurrent ? 'page' : nothing}
    aria-label=${label ?? nothing}
    @click=${(event: MouseEvent) => {
      if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      go(place);
    }}
    >${content}</a
  >`;
