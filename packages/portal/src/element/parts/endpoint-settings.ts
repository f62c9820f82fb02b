import { html, type TemplateResult } from 'lit';
import { endpointInput } from '../endpoint-input.ts';
import type { Texts } from '../i18n.ts';
import type { Endpoint } from '../portal.ts';
import { type InputField, inputFields } from '../requests/input-fields.ts';
import { checkField, textField } from './field.ts';
import { fieldText } from './form-values.ts';
import type { Content } from './notice.ts';

/** The plain fields of an endpoint, as the document has them. URL, events and header have controls of their own. */
const fields = inputFields(endpointInput);
const nameOf = ({ path }: InputField): string => path.join('.');

type Kind = Endpoint['kind'];

/** The fields that an endpoint has. A pull endpoint is sent no requests, so it has no fields about them. */
const fieldsOf = (kind: Kind): readonly InputField[] =>
  kind === 'pull' ? fields.filter((field) => nameOf(field) !== 'standardWebhooks') : fields;

/** The names of these fields. @internal */
export const settingNames = fields.map(nameOf);

const storedValue = (endpoint: Endpoint | null, name: string): unknown =>
  (endpoint as Readonly<Record<string, unknown>> | null)?.[name];

/** The fields of a form. `isOption`: the boxes to tick, else the others. @internal */
export const settingFields = (
  { find }: Texts,
  {
    endpoint,
    kind,
    errors,
    isOption,
  }: {
    readonly endpoint: Endpoint | null;
    readonly kind: Kind;
    readonly errors: Readonly<Record<string, string>>;
    readonly isOption: boolean;
  },
): readonly TemplateResult[] =>
  fieldsOf(kind)
    .filter(({ type }) => (type === 'checkbox') === isOption)
    .map((field) => {
      const name = nameOf(field);
      const label = find('setting', name, name);
      const hint = find('setting', `${name}-hint`, field.description ?? '');
      const value = storedValue(endpoint, name) ?? field.value;
      return isOption
        ? checkField(html`${label} <small class="muted">${hint}</small>`, { name, isChecked: String(value) === 'true' })
        : textField(name, name, label, { value: String(value), hint, error: errors[name] });
    });

/** What a form says of these fields. An empty text removes the stored one. @internal */
export const readSettings = (
  form: HTMLFormElement,
  { endpoint, kind }: { readonly endpoint: Endpoint | null; readonly kind: Kind },
): object =>
  Object.fromEntries(
    fieldsOf(kind).flatMap((field): readonly (readonly [string, unknown])[] => {
      const name = nameOf(field);
      const text = fieldText(form, name).trim();
      if (field.type === 'checkbox') return [[name, text !== '']];
      if (text === '') return endpoint === null ? [] : [[name, null]];
      return [[name, field.type === 'number' ? Number(text) : text]];
    }),
  );

/** The stored values, with their names. @internal */
export const settingFacts = ({ find, t }: Texts, endpoint: Endpoint): readonly (readonly [string, Content])[] =>
  fieldsOf(endpoint.kind).flatMap((field) => {
    const name = nameOf(field);
    const value = storedValue(endpoint, name);
    if (value === undefined) return [];
    const shown = field.type === 'checkbox' ? t(value === true ? 'yes' : 'no') : String(value);
    return [[find('setting', name, name), shown] as const];
  });
