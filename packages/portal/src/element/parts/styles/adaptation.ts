import { css } from 'lit';

/** Narrow pages, less motion, forced colours. @internal */
export const adaptation = css`
  @container (width < 46rem) {
    .sides {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  @container (width < 40rem) {
    .scroll:not(.tall) table,
    .scroll:not(.tall) tbody,
    .scroll:not(.tall) tbody th,
    .scroll:not(.tall) td {
      display: block;
    }
    .scroll:not(.tall) tr {
      display: flex;
      flex-wrap: wrap;
      gap: 0 1rem;
    }
    .scroll:not(.tall) tbody th {
      flex: 1 0 100%;
    }
    .scroll:not(.tall) thead {
      position: absolute;
      clip-path: inset(50%);
    }
    .scroll:not(.tall) tr {
      border-block-end: 1px solid var(--border);
      padding-block: 0.5rem;
    }
    .live .scroll tr {
      padding-inline: 0.75rem;
    }
    .scroll:not(.tall) tbody th,
    .scroll:not(.tall) td {
      border: 0;
      padding: 0.125rem 0;
      text-align: start;
    }
    .scroll td:empty {
      display: none;
    }
    .scroll td[data-label]::before {
      content: attr(data-label) ': ' / '';
      color: var(--muted);
    }
    dl {
      grid-template-columns: minmax(0, 1fr);
      gap: 0;
    }
    dd {
      margin-block-end: 0.5rem;
    }
    .code pre {
      padding-inline-end: 0.75rem;
      padding-block-start: 2.5rem;
    }
    .commands > li {
      grid-template-columns: minmax(0, 1fr) auto;
    }
    .commands > li > p {
      grid-row: 2;
      grid-column: 1 / -1;
    }
    .account {
      display: none;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .skeleton i {
      animation: none;
    }
  }
  @media (forced-colors: active) {
    .badge,
    .choices a[aria-current],
    .notice,
    .problem {
      border: 1px solid;
    }
    rect.good,
    .timeline > li.good::before {
      fill: CanvasText;
      background: CanvasText;
    }
    rect.bad {
      fill: Mark;
      stroke: CanvasText;
      stroke-dasharray: 2;
    }
    .badge::before,
    .timeline > li::before {
      forced-color-adjust: none;
    }
  }
`;
