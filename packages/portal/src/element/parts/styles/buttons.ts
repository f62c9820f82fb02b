import { css } from 'lit';

/** Buttons, menus, choices and chips. @internal */
export const buttons = css`
  button,
  .button {
    font: inherit;
    color: var(--text);
    background: var(--surface);
    border: 1px solid var(--control);
    border-radius: calc(var(--radius) * 0.8);
    padding: 0.25rem 0.75rem;
    min-height: 2.25rem;
    cursor: pointer;
    display: inline-flex;
    gap: 0.375rem;
    align-items: center;
    justify-content: center;
  }
  button:hover,
  .button:hover {
    border-color: var(--accent);
  }
  :focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }
  .primary {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--on-accent);
    font-weight: 600;
  }
  .danger {
    color: var(--bad);
    border-color: var(--bad);
  }
  button.small {
    min-height: 1.75rem;
    padding: 0.0625rem 0.625rem;
  }
  button[aria-pressed='true'] {
    border-color: var(--accent);
    box-shadow: inset 0 0 0 1px var(--accent);
    font-weight: 600;
  }
  button[aria-disabled='true'] {
    cursor: not-allowed;
    opacity: 0.65;
  }
  button[aria-busy='true'] {
    cursor: progress;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    margin-block-start: 0.25rem;
  }
  dialog .buttons {
    justify-content: flex-end;
    margin-block-start: 1rem;
  }
  .menu {
    position: relative;
    display: inline-block;
  }
  .menu ul {
    position: absolute;
    inset-block-start: calc(100% + 0.25rem);
    inset-inline-end: 0;
    z-index: 2;
    min-width: 14rem;
    list-style: none;
    padding: 0.25rem;
    background: var(--surface);
    border: 1px solid var(--control);
    border-radius: var(--radius);
    box-shadow: 0 6px 20px rgb(0 0 0 / 18%);
  }
  .menu li button {
    width: 100%;
    justify-content: flex-start;
    border-color: transparent;
    background: none;
  }
  .menu li button:hover,
  .menu li button:focus {
    background: var(--sunken);
  }
  .choices {
    justify-self: start;
    display: inline-flex;
    flex-wrap: wrap;
    gap: 0.125rem;
    padding: 0.1875rem;
    background: var(--sunken);
    border-radius: var(--radius);
  }
  .choices a {
    padding: 0.125rem 0.625rem;
    border-radius: calc(var(--radius) * 0.6);
    color: var(--muted);
    min-height: 1.75rem;
  }
  .choices a[aria-current] {
    background: var(--surface);
    color: var(--text);
    font-weight: 600;
    box-shadow: 0 1px 2px rgb(0 0 0 / 15%);
  }
  .chips {
    flex-wrap: wrap;
  }
  .chip {
    display: inline-block;
    border: 1px solid var(--control);
    border-radius: 1rem;
    padding: 0.125rem 0.75rem;
    color: var(--text);
    font-size: 0.875rem;
  }
`;
