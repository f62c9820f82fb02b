import { css } from 'lit';

/** Badges, notices, what is empty or loading, and the toast. @internal */
export const states = css`
  .badge {
    display: inline-flex;
    gap: 0.375rem;
    align-items: center;
    border-radius: 1rem;
    padding: 0.0625rem 0.625rem;
    font-size: 0.8125rem;
    font-weight: 500;
    white-space: nowrap;
    color: var(--muted);
    background: color-mix(in srgb, currentColor 10%, transparent);
  }
  .badge::before {
    content: '';
    width: 0.5em;
    height: 0.5em;
    border-radius: 50%;
    background: currentColor;
  }
  .badge.good {
    color: var(--good);
  }
  .badge.bad {
    color: var(--bad);
  }
  .badge.warning {
    color: var(--warning);
  }
  .notice,
  .problem {
    --tone: var(--accent);
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1rem;
    align-items: center;
    justify-content: space-between;
    border: 1px solid var(--border);
    border-inline-start: 3px solid var(--tone);
    border-radius: var(--radius);
    padding: 0.625rem 0.875rem;
    background: color-mix(in srgb, var(--tone) 7%, var(--surface));
    overflow-wrap: anywhere;
  }
  .notice > div:first-child,
  .problem > div:first-child {
    flex: 1 1 20rem;
    display: grid;
    gap: 0.25rem;
    min-width: 0;
  }
  .notice.success {
    --tone: var(--good);
  }
  .notice.warning,
  .problem.paused,
  .problem.disabled {
    --tone: var(--warning);
  }
  .notice.error,
  .problem.failing {
    --tone: var(--bad);
  }
  .problem pre {
    max-height: 5rem;
  }
  .empty {
    text-align: center;
    padding: calc(var(--space) * 2.5) var(--space);
  }
  .empty p {
    margin: 0.5rem auto 1rem;
    max-width: 40rem;
    color: var(--muted);
  }
  .portal > .empty {
    margin-block-start: var(--space);
  }
  .skeleton {
    display: grid;
    gap: var(--space);
    margin-block-start: var(--space);
  }
  .skeleton i {
    height: 5.5rem;
    border: 1px solid var(--border);
    border-radius: var(--radius);
    background: var(--surface);
    animation: breathe 1.5s infinite alternate;
  }
  @keyframes breathe {
    to {
      opacity: 0.4;
    }
  }
  .toast {
    pointer-events: none;
    position: fixed;
    inset-block-end: 1rem;
    inset-inline-start: 1rem;
    z-index: 3;
    background: var(--text);
    color: var(--surface);
    border-radius: var(--radius);
    padding: 0.5rem 1rem;
  }
`;
