import { css } from 'lit';

/** Where things stand. @internal */
export const layout = css`
  partnerkit-chart,
  partnerkit-event-choice {
    display: block;
  }
  .screen > :not(.notice, .empty),
  .column,
  .grid,
  .card,
  .cards {
    display: grid;
    gap: var(--space);
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 0.375rem 0.75rem;
    align-items: center;
    min-width: 0;
  }
  .spread {
    justify-content: space-between;
  }
  .screen > .notice,
  .screen > .empty,
  .heading {
    margin-block-start: calc(var(--space) * 1.25);
  }
  .from {
    font-size: 0.875rem;
    margin-block-end: 0.125rem;
  }
  .figures {
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 9.5rem), 1fr));
  }
  .sides {
    grid-template-columns: minmax(0, 1fr) 19rem;
  }
  .card,
  .empty,
  .filter {
    background: var(--surface);
    border: 1px solid var(--border);
    border-radius: var(--radius);
    padding: var(--space);
  }
  .card {
    gap: 0.625rem;
  }
  .card.form,
  .card form.column {
    max-width: 48rem;
  }
  .cards,
  .chips,
  .steps,
  ul.plain {
    list-style: none;
    padding: 0;
  }
  .muted,
  .hint {
    color: var(--muted);
  }
  .hint,
  .small,
  small {
    font-size: 0.875rem;
  }
  .figure {
    font-size: 1.625rem;
    line-height: 1.2;
    font-weight: 650;
    letter-spacing: -0.02em;
    font-variant-numeric: tabular-nums;
  }
  .url {
    overflow-wrap: anywhere;
  }
  .number {
    font-variant-numeric: tabular-nums;
  }
  strong.good,
  .right {
    color: var(--good);
  }
  strong.bad,
  .error {
    color: var(--bad);
  }
  p.warning {
    color: var(--warning);
  }
`;
