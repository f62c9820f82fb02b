import { css } from 'lit';

/**
 * A host changes colours, font, corners, density, logo and name by custom properties, and the rest by parts. Without a
 * theme, the element has the background of the page, and is light or dark as the page is (CSS `color-scheme`).
 * @internal
 */
export const styles = css`
  :host {
    --accent: var(--partnerkit-accent, light-dark(#1d4ed8, #8ab4ff));
    --on-accent: var(--partnerkit-on-accent, light-dark(#fff, #0b1220));
    --surface: var(--partnerkit-surface, light-dark(#fff, #181c22));
    --sunken: var(--partnerkit-sunken, light-dark(#f3f4f6, #12161b));
    --text: var(--partnerkit-text, light-dark(#1c2128, #e6e9ee));
    --muted: var(--partnerkit-muted, light-dark(#57606a, #a3adba));
    --border: var(--partnerkit-border, light-dark(#dfe3e8, #2d343e));
    --control: var(--partnerkit-control, light-dark(#818b98, #6b7584));
    --good: var(--partnerkit-good, light-dark(#116329, #7ee2a0));
    --bad: var(--partnerkit-bad, light-dark(#a40e26, #ff9a9a));
    --warning: var(--partnerkit-warning, light-dark(#7a4100, #ffcf70));
    --radius: var(--partnerkit-radius, 10px);
    --space: calc(var(--partnerkit-density, 1) * 1rem);
    --mono: ui-monospace, 'SF Mono', Menlo, Consolas, monospace;
    display: block;
    color: var(--text);
    background: var(--partnerkit-background, transparent);
    font: var(--partnerkit-font, 0.9375rem / 1.5 system-ui, sans-serif);
  }
  :host([hidden]) {
    display: none;
  }
  :host([theme]) {
    background: var(--partnerkit-background, light-dark(#f6f7f9, #0f1216));
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
  h4,
  p,
  dl,
  dd,
  ul,
  ol,
  pre,
  figure {
    margin: 0;
  }
  h2 {
    font-size: 1.375rem;
    line-height: 1.3;
    letter-spacing: -0.01em;
    overflow-wrap: anywhere;
  }
  h2:focus {
    outline: none;
  }
  h3,
  h4 {
    font-size: 1rem;
    overflow-wrap: anywhere;
  }
  h4 {
    font-size: 0.9375rem;
  }
  a {
    color: var(--accent);
    overflow-wrap: anywhere;
  }
  .navigation a,
  .choices a,
  a.button,
  a.chip {
    text-decoration: none;
  }

  /* Layout */
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
  .card.form {
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

  /* Navigation */
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

  /* Buttons */
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

  /* States */
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

  /* Texts of machines */
  code,
  pre,
  textarea {
    font-family: var(--mono);
    font-size: 0.84375rem;
    overflow-wrap: anywhere;
  }
  pre {
    white-space: pre-wrap;
    max-height: 20rem;
    overflow: auto;
    background: var(--sunken);
    border: 1px solid var(--border);
    border-radius: calc(var(--radius) * 0.8);
    padding: 0.5rem 0.75rem;
  }
  .code {
    position: relative;
  }
  .code pre {
    padding-inline-end: 5.5rem;
  }
  .code button {
    position: absolute;
    inset-block-start: 0.375rem;
    inset-inline-end: 0.375rem;
  }
  .why {
    display: grid;
    gap: 0.375rem;
  }
  .copyable {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 0.5rem;
    align-items: center;
    margin-block: 0.25rem;
  }
  .copyable .label {
    color: var(--muted);
  }
  code[part='secret'] {
    user-select: all;
    border: 1px dashed var(--control);
    border-radius: var(--radius);
    padding: 0.25rem 0.5rem;
  }

  /* Lists */
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

  /* Forms */
  summary {
    cursor: pointer;
    min-height: 1.75rem;
    color: var(--accent);
    width: fit-content;
    max-width: 100%;
  }
  .catalogue summary {
    color: inherit;
  }
  input:not([type='checkbox'], [type='radio']),
  select,
  textarea {
    font: inherit;
    color: inherit;
    background: var(--surface);
    border: 1px solid var(--control);
    border-radius: calc(var(--radius) * 0.8);
    padding: 0.25rem 0.625rem;
    min-height: 2.25rem;
    width: 100%;
    max-width: 100%;
  }
  textarea {
    font-family: var(--mono);
    font-size: 0.84375rem;
  }
  [aria-invalid='true'] {
    border-color: var(--bad) !important;
  }
  input[type='checkbox'],
  input[type='radio'] {
    accent-color: var(--accent);
    width: 1.125rem;
    height: 1.125rem;
    margin: 0.1875rem 0 0;
    margin-inline-end: 0.5rem;
    flex: none;
  }
  .field > label,
  legend {
    font-weight: 600;
  }
  dialog .field {
    margin-block: 0.5rem;
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
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 16rem), 1fr));
    column-gap: 1rem;
    padding-inline-start: 1.625rem;
    overflow-wrap: anywhere;
  }
  .filter {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 12rem), 1fr));
    gap: 0.75rem;
    align-items: end;
    margin-block-start: 0.5rem;
  }
  .filter label {
    font-size: 0.875rem;
    font-weight: 400;
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
    font-size: 1.25rem;
    margin-block-end: 0.5rem;
  }
  dialog .notice {
    margin-block: 0.5rem;
  }

  /* Charts */
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
