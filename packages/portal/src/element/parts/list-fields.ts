import { html, nothing, type TemplateResult } from 'lit';
import { checkField, describedBy, field } from './field.ts';
import { fieldText } from './form-values.ts';

/** What a form is shown with that limits a key to a list. */
interface ListFieldsOptions {
  readonly name: 'children' | 'networks';
  readonly legend: string;
  /** The choice without a limit. */
  readonly all: string;
  /** The choice of a list. */
  readonly some: string;
  /** What a line is: the label of the list. */
  readonly hint: string;
  readonly values: readonly string[] | undefined;
  readonly isLimited: boolean;
  readonly error: string | undefined;
  readonly onLimit: (isLimited: boolean) => void;
}

/** No limit, or a list with one value on each line. @internal */
export const listFields = ({
  name,
  legend,
  all,
  some,
  hint,
  values = [],
  isLimited,
  error,
  onLimit,
}: ListFieldsOptions): TemplateResult => {
  const id = `key-${name}`;
  const radio = (label: string, value: boolean): TemplateResult =>
    checkField(label, {
      type: 'radio',
      name: `limit-${name}`,
      isChecked: isLimited === value,
      onChange: () => onLimit(value),
    });
  const list = (): TemplateResult =>
    field(
      id,
      hint,
      html`<textarea
        id=${id}
        name=${name}
        rows="3"
        spellcheck="false"
        autocapitalize="off"
        .defaultValue=${values.join('\n')}
        aria-invalid=${error === undefined ? 'false' : 'true'}
        aria-describedby=${describedBy(id, false)}
      ></textarea>`,
      { error },
    );
  return html`<fieldset>
    <legend>${legend}</legend>
    ${radio(all, false)} ${radio(some, true)} ${isLimited ? list() : nothing}
  </fieldset>`;
};

/** The lines of such a field that are not empty. @internal */
export const linesOf = (form: HTMLFormElement, name: ListFieldsOptions['name']): readonly string[] =>
  fieldText(form, name)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
