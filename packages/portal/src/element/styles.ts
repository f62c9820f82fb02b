import { css } from 'lit';

/** A host changes colours, font and corners by custom properties, and the rest by parts. @internal */
export const styles = css`
  :host {
    --accent: var(--partnerkit-accent, light-dark(#1d4ed8, #8ab4ff));
    --on-accent: var(--partnerkit-on-accent, light-dark(#fff, #0b1220));
    --background: var(--partnerkit-background, light-dark(#fff, #14171c));
    --surface: var(--partnerkit-surface, light-dark(#fff, #1b1f26));
    --text: var(--partnerkit-text, light-dark(#1c2128, #e6e9ee));
    --muted: var(--partnerkit-muted, light-dark(#57606a, #a3adba));
    --border: var(--partnerkit-border, light-dark(#d0d7de, #363c46));
    --control: var(--partnerkit-control, light-dark(#818b98, #6b7584));
    --good: var(--partnerkit-good, light-dark(#116329, #7ee2a0));
    --bad: var(--partnerkit-bad, light-dark(#a40e26, #ff9a9a));
    --warning: var(--partnerkit-warning, light-dark(#7a4100, #ffcf70));
    --radius: var(--partnerkit-radius, 8px);
    color-scheme: light dark;
    display: block;
    color: var(--text);
    background: var(--background);
    font: var(--partnerkit-font, 1rem / 1.5 system-ui, sans-serif);
  }
  :host([hidden]) {
    display: none;
  }
  :host([theme='light']) {
    color-scheme: light;
  }
  :host([theme='dark']) {
    color-scheme: dark;
  }
  *,
  ::before {
    box-sizing: border-box;
  }
  .portal {
    container-type: inline-size;
    min-height: 24rem;
  }
  .hidden:not(:focus) {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  h2,
  h3,
  p,
  dl,
  dd,
  ul,
  ol,
  pre {
    margin: 0;
  }
  h2 {
    font-size: 1.5rem;
    line-height: 1.25;
    margin: 1rem 0 0.5rem;
    overflow-wrap: anywhere;
  }
  h2:focus {
    outline: none;
  }
  h3 {
    font-size: 1.0625rem;
    overflow-wrap: anywhere;
  }
  section > h3 {
    margin: 1.25rem 0 0.5rem;
  }
  nav[part='navigation'] {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
    align-items: center;
    border-bottom: 1px solid var(--border);
  }
  nav[part='navigation'] button {
    border: 0;
    border-bottom: 3px solid transparent;
    border-radius: 0;
    background: none;
  }
  nav[part='navigation'] button[aria-current] {
    border-color: var(--accent);
    font-weight: 600;
  }
  .account {
    margin-inline-start: auto;
    color: var(--muted);
    padding: 0.5rem;
  }
  .bar,
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 0.75rem;
    align-items: center;
  }
  .bar {
    justify-content: space-between;
    margin-block-end: 1rem;
  }
  .bar > p {
    flex: 1 1 18rem;
  }
  .muted,
  .hint {
    color: var(--muted);
  }
  .hint,
  small {
    font-size: 0.875rem;
  }
  .url {
    overflow-wrap: anywhere;
  }
  button,
  .button {
    font: inherit;
    color: inherit;
    background: var(--surface);
    border: 1px solid var(--control);
    border-radius: var(--radius);
    padding: 0.375rem 0.875rem;
    min-height: 2.5rem;
    cursor: pointer;
    text-decoration: none;
    display: inline-block;
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
  }
  .danger {
    color: var(--bad);
    border-color: var(--bad);
  }
  .small {
    min-height: 1.75rem;
    padding: 0.125rem 0.625rem;
    font-size: 0.875rem;
  }
  .link {
    border: 0;
    background: none;
    padding: 0.125rem 0;
    min-height: 1.75rem;
    color: var(--accent);
    text-align: start;
    text-decoration: underline;
    overflow-wrap: anywhere;
    font-weight: inherit;
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
    margin-block-start: 0.75rem;
  }
  .bar .buttons,
  .filter .buttons {
    margin: 0;
  }
  dialog .buttons {
    justify-content: flex-end;
  }
  .cards {
    list-style: none;
    padding: 0;
    display: grid;
    gap: 0.75rem;
  }
  .card,
  .panel,
  .empty,
  .filter {
    background: var(--surface);
    border: 1px solid var(--border);
    border-radius: var(--radius);
    padding: 1rem;
  }
  .cards,
  .card,
  .panel {
    grid-template-columns: minmax(0, 1fr);
  }
  .card,
  .panel {
    display: grid;
    gap: 0.5rem;
  }
  .panel + .panel {
    margin-block-start: 0.75rem;
  }
  .empty {
    text-align: center;
    padding: 2.5rem 1rem;
  }
  .empty p {
    margin: 0.5rem auto 1rem;
    max-width: 40rem;
    color: var(--muted);
  }
  .badge {
    border: 1px solid currentColor;
    border-radius: 1rem;
    padding: 0 0.625rem;
    font-size: 0.875rem;
    white-space: nowrap;
  }
  .badge.good,
  .right {
    color: var(--good);
  }
  .badge.bad,
  .error {
    color: var(--bad);
  }
  .badge.warning {
    color: var(--warning);
  }
  .badge.neutral {
    color: var(--muted);
  }
  .why pre {
    margin-block-start: 0.25rem;
    max-height: 6rem;
  }
  .notice {
    border: 1px solid var(--border);
    border-inline-start: 4px solid var(--accent);
    border-radius: var(--radius);
    padding: 0.5rem 0.75rem;
    margin-block: 0.5rem;
    background: var(--surface);
    overflow-wrap: anywhere;
  }
  .notice.success {
    border-inline-start-color: var(--good);
  }
  .notice.warning {
    border-inline-start-color: var(--warning);
  }
  .notice.error {
    border-inline-start-color: var(--bad);
  }
  .copyable {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 0.5rem;
    align-items: center;
  }
  .copyable .label {
    color: var(--muted);
  }
  code,
  pre,
  textarea {
    font-family: ui-monospace, monospace;
    font-size: 0.875rem;
    overflow-wrap: anywhere;
  }
  code[part='secret'] {
    user-select: all;
    border: 1px dashed var(--control);
    border-radius: var(--radius);
    padding: 0.25rem 0.5rem;
  }
  pre {
    white-space: pre-wrap;
    max-height: 16rem;
    overflow: auto;
    border: 1px solid var(--border);
    border-radius: var(--radius);
    padding: 0.5rem;
    margin-block: 0.25rem;
  }
  .scroll {
    overflow-x: auto;
    /* Holds what is hidden in it. */
    position: relative;
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
    font-weight: 600;
  }
  thead th {
    color: var(--muted);
    font-size: 0.875rem;
    white-space: nowrap;
  }
  time {
    white-space: nowrap;
  }
  .number {
    text-align: end;
    font-variant-numeric: tabular-nums;
  }
  .end {
    text-align: end;
  }
  .attempts {
    padding-inline-start: 1.25rem;
    display: grid;
    gap: 0.5rem;
    margin-block: 0.5rem;
  }
  dl {
    display: grid;
    grid-template-columns: minmax(8rem, max-content) 1fr;
    gap: 0.375rem 1rem;
  }
  dt {
    color: var(--muted);
  }
  dd {
    overflow-wrap: anywhere;
  }
  summary {
    cursor: pointer;
    min-height: 1.75rem;
    color: var(--accent);
  }
  input:not([type='checkbox'], [type='radio']),
  select,
  textarea {
    font: inherit;
    color: inherit;
    background: var(--background);
    border: 1px solid var(--control);
    border-radius: var(--radius);
    padding: 0.375rem 0.625rem;
    min-height: 2.5rem;
    width: 100%;
    max-width: 100%;
  }
  textarea {
    font-family: ui-monospace, monospace;
    font-size: 0.875rem;
  }
  [aria-invalid='true'] {
    border-color: var(--bad) !important;
  }
  input[type='checkbox'],
  input[type='radio'] {
    accent-color: var(--accent);
    width: 1.125rem;
    height: 1.125rem;
    margin: 0.1875rem 0.5rem 0 0;
    flex: none;
  }
  .field {
    margin-block: 0.5rem;
  }
  .field > label,
  legend {
    font-weight: 600;
  }
  fieldset {
    border: 1px solid var(--border);
    border-radius: var(--radius);
    padding: 0.5rem 1rem 0.75rem;
    margin: 0.5rem 0;
    min-width: 0;
  }
  fieldset.plain {
    border: 0;
    padding: 0;
  }
  .check {
    display: flex;
    align-items: flex-start;
    padding-block: 0.25rem;
  }
  .events {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr));
    column-gap: 1rem;
    padding-inline-start: 1.625rem;
    overflow-wrap: anywhere;
  }
  .error:empty,
  .right:empty {
    display: none;
  }
  .filter {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr));
    gap: 0.75rem;
    align-items: end;
    margin-block-end: 1rem;
  }
  .filter label {
    font-size: 0.875rem;
    color: var(--muted);
  }
  .filter input,
  .filter select {
    color: var(--text);
  }
  dialog {
    color: inherit;
    background: var(--surface);
    border: 1px solid var(--border);
    border-radius: var(--radius);
    padding: 1.25rem;
    width: min(36rem, calc(100vw - 1rem));
    max-height: calc(100dvh - 1rem);
    overflow: auto;
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 50%);
  }
  dialog h2 {
    margin-block-start: 0;
    font-size: 1.25rem;
  }
  .toast {
    pointer-events: none;
    position: fixed;
    inset-block-end: 1rem;
    inset-inline-start: 1rem;
    background: var(--text);
    color: var(--background);
    border-radius: var(--radius);
    padding: 0.5rem 1rem;
  }
  .skeleton {
    display: grid;
    gap: 0.75rem;
  }
  .skeleton i {
    height: 5.5rem;
    border: 1px solid var(--border);
    border-radius: var(--radius);
    animation: breathe 1.5s infinite alternate;
  }
  @keyframes breathe {
    to {
      opacity: 0.4;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .skeleton i {
      animation: none;
    }
  }
  figure {
    position: relative;
    margin: 0.75rem 0 0;
  }
  svg {
    width: 100%;
    height: 6rem;
  }
  rect.room {
    fill: color-mix(in srgb, var(--border) 35%, transparent);
  }
  rect.good {
    fill: var(--good);
  }
  rect.bad {
    fill: var(--bad);
  }
  .axis {
    justify-content: space-between;
    font-size: 0.875rem;
  }
  .filters {
    margin-block-end: 1rem;
  }
  @container (width < 40rem) {
    .scroll table,
    .scroll tbody,
    .scroll tr,
    .scroll th,
    .scroll td {
      display: block;
    }
    .scroll thead {
      position: absolute;
      clip-path: inset(50%);
    }
    .scroll tr {
      border-block-end: 1px solid var(--border);
      padding-block: 0.5rem;
    }
    .scroll th,
    .scroll td {
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
      grid-template-columns: 1fr;
      gap: 0.125rem;
    }
    dd {
      margin-block-end: 0.5rem;
    }
    .buttons > button {
      flex: 1 1 auto;
    }
  }
`;
