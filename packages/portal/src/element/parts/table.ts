import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Content } from './notice.ts';

/** A column of a list. @internal */
export interface Column<T> {
  readonly name: string;
  readonly cell: (item: T) => Content;
  readonly look?: string;
}

interface TableOptions<T> {
  readonly label: string;
  /** The first one names its row. */
  readonly columns: readonly Column<T>[];
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /** The attribute that tests and hosts find a row by. */
  readonly name: string;
}

/** A list as a table; on a narrow page, each row is a block with its names. @internal */
export const table = <T>({ label, columns, items, keyOf, name }: TableOptions<T>): TemplateResult =>
  html`<div class="scroll" tabindex="0" role="group" aria-label=${label}>
    <table data-list=${name}>
      <thead>
        <tr>${columns.map(({ name: title, look = '' }) =>
          title === '' ? html`<td></td>` : html`<th scope="col" class=${look}>${title}</th>`,
        )}</tr>
      </thead>
      <tbody>
        ${repeat(
          items,
          keyOf,
          (item) =>
            html`<tr data-key=${keyOf(item)}>
              ${columns.map((column, index) =>
                index === 0
                  ? html`<th scope="row" class=${column.look ?? ''}>${column.cell(item)}</th>`
                  : html`<td class=${column.look ?? ''} data-label=${column.name === '' ? nothing : column.name}>${column.cell(item)}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
