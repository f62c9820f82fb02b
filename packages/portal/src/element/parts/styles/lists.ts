import { css } from 'lit';

/** Tables, details, timelines and steps. @internal */
export const lists = css`
  .scroll {
    overflow-x: auto;
    /* Holds what is hidden in it. */
    position: relative;
  }
  .scroll.tall {
    max-height: 16rem;
    overflow-y: auto;
  }
  table {
    border-collapse: collapse;
    width: 100%;
  }
  th,
  td {
    text-align: start;
    vertical-align: top;
    padding: 0.5rem;
    border-block-end: 1px solid var(--border);
  }
  th {
    font-weight: inherit;
  }
  thead th {
    color: var(--muted);
    font-size: 0.875rem;
    white-space: nowrap;
  }
  tbody tr:last-child > * {
    border-block-end: 0;
  }
  tbody tr:hover > * {
    background: var(--sunken);
  }
  th.number,
  td.number,
  .end {
    text-align: end;
  }
  .live table {
    background: var(--surface);
    border-radius: var(--radius);
  }
  .live > .scroll {
    border: 1px solid var(--border);
    border-radius: var(--radius);
    background: var(--surface);
  }
  .waiting:not(:has(button)),
  .error:empty,
  .right:empty {
    display: none;
  }
  time {
    white-space: nowrap;
  }
  dl {
    display: grid;
    grid-template-columns: minmax(6rem, max-content) minmax(0, 1fr);
    gap: 0.25rem 1rem;
    font-size: 0.875rem;
  }
  .sides > .column:last-child dl {
    grid-template-columns: minmax(0, 1fr);
    gap: 0;
  }
  .sides > .column:last-child dd {
    margin-block-end: 0.5rem;
  }
  dt {
    color: var(--muted);
  }
  dd {
    overflow-wrap: anywhere;
  }
  .figures time,
  dd time {
    white-space: normal;
  }
  .fields dt {
    color: inherit;
  }
  .timeline {
    list-style: none;
    padding: 0;
    display: grid;
  }
  .timeline > li {
    --tone: var(--muted);
    position: relative;
    padding-inline-start: 1.75rem;
    padding-block-end: 1rem;
    display: grid;
    gap: 0.375rem;
  }
  .timeline > li::before {
    content: '';
    position: absolute;
    inset-inline-start: 0.25rem;
    inset-block-start: 0.4rem;
    width: 0.75rem;
    height: 0.75rem;
    border-radius: 50%;
    background: var(--tone);
  }
  .timeline > li.neutral::before {
    background: none;
    border: 2px solid var(--tone);
  }
  .timeline > li:not(:last-child)::after {
    content: '';
    position: absolute;
    inset-inline-start: 0.5625rem;
    inset-block: 1.5rem -0.25rem;
    border-inline-start: 2px solid var(--border);
  }
  .timeline > li:last-child {
    padding-block-end: 0;
  }
  .timeline > li.good {
    --tone: var(--good);
  }
  .timeline > li.bad {
    --tone: var(--bad);
  }
  .timeline > li.warning {
    --tone: var(--warning);
  }
  .steps {
    display: grid;
    gap: 1rem;
    counter-reset: step;
  }
  .steps > li {
    counter-increment: step;
    position: relative;
    padding-inline-start: 2.5rem;
    display: grid;
    gap: 0.375rem;
    justify-items: start;
  }
  .steps > li::before {
    content: counter(step) / '';
    position: absolute;
    inset-inline-start: 0;
    inset-block-start: -0.125rem;
    width: 1.75rem;
    height: 1.75rem;
    border-radius: 50%;
    border: 1px solid var(--control);
    display: grid;
    place-items: center;
    font-size: 0.875rem;
  }
  .steps > li.done::before {
    content: '✓' / '';
    color: var(--good);
    border-color: var(--good);
  }
  .steps .code {
    width: 100%;
  }
  .commands {
    display: grid;
    gap: 0.75rem;
  }
  .commands > li {
    display: grid;
    grid-template-columns: minmax(0, 16rem) minmax(0, 1fr) auto;
    gap: 0.25rem 0.75rem;
    align-items: center;
  }
  .commands > li > :first-child {
    justify-self: start;
    text-align: start;
  }
  .catalogue > li {
    border-block-start: 1px solid var(--border);
    padding-block: 0.375rem;
  }
  .catalogue details[open] {
    display: grid;
    gap: 0.5rem;
    padding-block-end: 0.5rem;
  }
  .catalogue h4 {
    margin-block-start: 0.75rem;
  }
  .catalogue details > p,
  form > .field + .field {
    margin-block-start: 0.5rem;
  }
  .search {
    max-width: 24rem;
  }
`;
