import { html, nothing, type TemplateResult } from 'lit';

/** A labelled field with its hint and its error. @internal */
export const field = (
  id: string,
  label: string,
  control: TemplateResult,
  { hint, error }: { readonly hint?: string | undefined; readonly error?: string | undefined } = {},
): TemplateResult =>
  html`<div class="field">
    <label for=${id}>${label}</label>
    ${hint === undefined ? nothing : html`<p class="hint" id="${id}-hint">${hint}</p>`} ${control}
    <p class="error" id="${id}-error" aria-live="polite">${error ?? nothing}</p>
  </div>`;

/** The ids of what describes a field. @internal */
export const describedBy = (id: string, hasHint: boolean): string => `${hasHint ? `${id}-hint ` : ''}${id}-error`;

interface TextFieldOptions {
  readonly value?: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly type?: 'text' | 'url' | 'password' | 'datetime-local' | 'number';
  readonly isRequired?: boolean;
  readonly hasFocus?: boolean;
  readonly placeholder?: string;
  readonly onInput?: (event: Event) => void;
  /** Stands below the input. */
  readonly below?: TemplateResult;
}

/** A field of one line. @internal */
export const textField = (
  id: string,
  name: string,
  label: string,
  { value = '', hint, error, type = 'text', isRequired, hasFocus, placeholder, onInput, below }: TextFieldOptions = {},
): TemplateResult =>
  field(
    id,
    label,
    html`<input
        id=${id}
        name=${name}
        type=${type}
        step=${type === 'number' ? 'any' : nothing}
        maxlength=${type === 'text' ? 256 : nothing}
        autocomplete="off"
        spellcheck="false"
        placeholder=${placeholder ?? nothing}
        ?required=${isRequired}
        ?autofocus=${hasFocus}
        .defaultValue=${value}
        aria-invalid=${error === undefined ? 'false' : 'true'}
        aria-describedby=${describedBy(id, hint !== undefined)}
        @input=${onInput ?? nothing}
      />${below ?? nothing}`,
    { hint, error },
  );

/** A box to tick, or one of several to choose. @internal */
export const checkField = (
  label: string | TemplateResult,
  {
    type = 'checkbox',
    name,
    value = 'on',
    isChecked,
    isIndeterminate = false,
    onChange,
  }: {
    readonly type?: 'checkbox' | 'radio';
    readonly name: string;
    readonly value?: string;
    readonly isChecked: boolean;
    readonly isIndeterminate?: boolean;
    readonly onChange?: (isChecked: boolean) => void;
  },
): TemplateResult =>
  html`<label class="check"
    ><input
      type=${type}
      name=${name}
      value=${value}
      .checked=${isChecked}
      .indeterminate=${isIndeterminate}
      @change=${(event: Event) => onChange?.((event.target as HTMLInputElement).checked)}
    /><span>${label}</span></label
  >`;
