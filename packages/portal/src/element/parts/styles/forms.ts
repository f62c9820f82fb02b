import { css } from 'lit';

/** Fields, filters and dialogs. @internal */
export const forms = css`
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
`;
