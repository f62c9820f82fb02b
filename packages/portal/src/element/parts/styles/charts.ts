import { css } from 'lit';

/** Charts. @internal */
export const charts = css`
  .plot {
    border-radius: calc(var(--radius) * 0.5);
  }
  svg {
    display: block;
    width: 100%;
    height: auto;
    overflow: visible;
  }
  svg text {
    fill: var(--muted);
    font-size: 11px;
  }
  svg .grid {
    stroke: var(--border);
  }
  rect.room {
    fill: transparent;
  }
  .selected rect.room {
    fill: color-mix(in srgb, var(--border) 60%, transparent);
  }
  rect.good {
    fill: var(--good);
  }
  rect.bad {
    fill: var(--bad);
  }
  .sparkline {
    display: inline-block;
    width: 7.5rem;
    height: 1.5rem;
    vertical-align: middle;
  }
  .sparkline rect.room {
    fill: var(--border);
  }
  figcaption {
    color: var(--muted);
    font-size: 0.875rem;
    min-height: 1.5rem;
    font-variant-numeric: tabular-nums;
  }
`;
