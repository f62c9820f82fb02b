import { html, nothing, type TemplateResult } from 'lit';
import { actionButton } from '../parts/button.ts';
import { DialogPart } from '../parts/dialog-part.ts';
import { checkField, describedBy, field, textField } from '../parts/field.ts';
import { fieldText } from '../parts/form-values.ts';
import { failureOf } from '../parts/notice.ts';
import { define, type PortalPart } from '../parts/portal-part.ts';
import { type InputField, type InputSchema, inputFields, isNoJson, readInput } from './input-fields.ts';

/** A command that a person is about to give. @internal */
export interface GivenCommand {
  readonly title: string;
  /** What it does, as the platform says it. */
  readonly description: string;
  readonly input: InputSchema;
  readonly give: (input: object) => Promise<unknown>;
  readonly onDone: () => void;
}

const idOf = ({ path }: InputField): string => `input-${path.join('-')}`;
const nameOf = ({ path }: InputField): string => path.join('.');

/** The form of a command, made from the schema of its input. */
class CommandDialog extends DialogPart {
  static override properties = {
    ...DialogPart.properties,
    command: { attribute: false },
    wrong: { state: true },
  };

  declare command: GivenCommand;
  /** The field whose text is no JSON. */
  declare wrong: string | undefined;

  protected override get heading(): string {
    return this.command.title;
  }

  #submit(event: Event): void {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    if (!form.reportValidity()) return;
    const { give, onDone, input } = this.command;
    this.wrong = undefined;
    try {
      const given = readInput(inputFields(input), (each) => fieldText(form, nameOf(each)));
      void this.finish(() => give(given), onDone);
    } catch (cause) {
      if (!isNoJson(cause)) throw cause;
      this.wrong = cause.path.join('.');
    }
  }

  #field(each: InputField): TemplateResult {
    const { t } = this.portal.texts;
    const [id, name] = [idOf(each), nameOf(each)];
    const error = this.wrong === name ? t('test.no-json') : undefined;
    const { type, choices, isRequired, description, value } = each;
    if (type === 'checkbox') return checkField(html`<code>${name}</code> ${description}`, { name, isChecked: false });
    if (type === 'choice')
      return field(
        id,
        name,
        html`<select id=${id} name=${name} aria-describedby=${describedBy(id, description !== undefined)}>
          ${isRequired ? nothing : html`<option value=""></option>`}
          ${choices.map((choice) => html`<option>${choice}</option>`)}
        </select>`,
        { hint: description },
      );
    if (type === 'json')
      return field(
        id,
        name,
        html`<textarea
          id=${id}
          name=${name}
          rows="2"
          spellcheck="false"
          ?required=${isRequired}
          aria-invalid=${error === undefined ? 'false' : 'true'}
          aria-describedby=${describedBy(id, true)}
        ></textarea>`,
        { hint: `${description ?? ''} ${t('command.json')}`.trim(), error },
      );
    return textField(id, name, name, { value, hint: description, isRequired, type });
  }

  protected override content(): TemplateResult {
    const { texts } = this.portal;
    const { description, input, title } = this.command;
    return html`<form novalidate @submit=${this.#submit}>
      <p class="muted">${description}</p>
      ${inputFields(input).map((each) => this.#field(each))} ${failureOf(texts, this.action)}
      ${this.buttons(this.cancelButton(), actionButton(this.action, title, { kind: 'primary', type: 'submit' }))}
    </form>`;
  }
}

define('partnerkit-command', CommandDialog);

/** Asks for the input of a command, and gives it. @internal */
export const openCommand = (portal: PortalPart['portal'], command: GivenCommand): void =>
  portal.open(html`<partnerkit-command .portal=${portal} .command=${command}></partnerkit-command>`);
