import { css } from 'lit';

/** The links between the screens. @internal */
export const navigation = css`
  .navigation {
    display: flex;
    gap: 0.125rem;
    align-items: center;
    border-block-end: 1px solid var(--border);
    overflow-x: auto;
    scrollbar-width: thin;
  }
  .navigation a {
    padding: 0.5rem 0.75rem;
    color: var(--muted);
    white-space: nowrap;
    border-block-end: 2px solid transparent;
  }
  .navigation a:hover {
    color: var(--text);
  }
  .navigation a[aria-current] {
    color: var(--text);
    font-weight: 600;
    border-color: var(--accent);
  }
  .navigation a:focus-visible {
    outline-offset: -3px;
  }
  .account {
    margin-inline-start: auto;
    padding: 0.5rem;
    color: var(--muted);
    white-space: nowrap;
  }
  .brand {
    display: inline-flex;
    gap: 0.5rem;
    align-items: center;
    font-weight: 650;
    white-space: nowrap;
  }
  .brand::before {
    content: var(--partnerkit-logo, none);
    margin-inline-end: 0.25rem;
  }
  .brand::after {
    content: var(--partnerkit-name, none);
    margin-inline-end: 0.75rem;
  }
`;
