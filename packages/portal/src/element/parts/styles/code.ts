import { css } from 'lit';

/** Texts of machines. @internal */
export const code = css`
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
`;
