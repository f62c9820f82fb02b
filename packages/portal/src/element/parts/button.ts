import { html, type TemplateResult } from 'lit';
import type { Action } from './action.ts';

interface ButtonOptions {
  readonly kind?: 'primary' | 'danger' | 'plain';
  readonly type?: 'button' | 'submit';
  readonly onClick?: () => void;
  readonly isDisabled?: boolean;
}

/** A button that shows that its action runs. @internal */
export const actionButton = (
  { isPending }: Pick<Action, 'isPending'>,
  label: string,
  { kind = 'plain', type = 'button', onClick, isDisabled = false }: ButtonOptions = {},
): TemplateResult =>
  html`<button
    type=${type}
    class=${kind}
    part="button ${kind}"
    aria-disabled=${isPending || isDisabled ? 'true' : 'false'}
    aria-busy=${isPending ? 'true' : 'false'}
    @click=${(event: Event) => {
      if (isPending || isDisabled) event.preventDefault();
      else onClick?.();
    }}
  >
    ${label}
  </button>`;

/** A button without an action that could be under way. @internal */
export const plainButton = (
  label: string,
  onClick: () => void,
  kind: 'primary' | 'danger' | 'plain' | 'small' = 'plain',
): TemplateResult =>
  html`<button type="button" class=${kind} part="button ${kind}" @click=${onClick}>${label}</button>`;
