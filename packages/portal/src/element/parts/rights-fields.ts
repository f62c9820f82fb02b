import { html, nothing, type TemplateResult } from 'lit';
import type { Texts } from '../i18n.ts';
import type { Portal } from '../portal.ts';
import { checkField, field } from './field.ts';
import { fieldText } from './form-values.ts';

const partOf = (right: string): string => right.split(':')[0] ?? '';

/** The parts of the platform that a key can have rights on. */
const partsOf = ({ session }: Portal): readonly string[] => [...new Set(session.rights.map(partOf))];

const partName = ({ t, find }: Texts, part: string): string => {
  const known: Readonly<Record<string, string>> = {
    webhooks: t('webhooks'),
    events: t('events'),
    cash_outs: t('requests.cash-outs'),
  };
  return known[part] ?? find('key', `part-${part}`, part);
};

/** What a key may do, in words. @internal */
export const rightsText = (texts: Texts, rights: readonly string[] | undefined): string => {
  const { t } = texts;
  if (rights === undefined) return t('key.rights-all');
  const words = rights.map((right) => {
    const access = right.endsWith(':write') ? t('key.right-write') : t('key.right-read');
    return `${partName(texts, partOf(right))} (${access})`;
  });
  return texts.list(words);
};

/** What rights a form is shown with. */
interface RightsFieldsOptions {
  /** The rights of the key. `undefined`: everything. */
  readonly rights: readonly string[] | undefined;
  readonly isLimited: boolean;
  readonly isMissing: boolean;
  readonly onLimit: (isLimited: boolean) => void;
}

/** Everything, or a choice for each part of the platform; nothing where keys have no rights to choose. @internal */
export const rightsFields = (
  portal: Portal,
  { rights = [], isLimited, isMissing, onLimit }: RightsFieldsOptions,
): TemplateResult | typeof nothing => {
  const { texts, session } = portal;
  const { t } = texts;
  if (session.rights.length === 0) return nothing;
  const choice = (part: string): TemplateResult => {
    const options = [
      ['', t('key.right-none')],
      ['read', t('key.right-read')],
      ...(session.rights.includes(`${part}:write`) ? [['write', t('key.right-write')] as const] : []),
    ] as const;
    const chosen = ['write', 'read'].find((access) => rights.includes(`${part}:${access}`)) ?? '';
    return field(
      `right-${part}`,
      partName(texts, part),
      html`<select id="right-${part}" name="right-${part}">
        ${options.map(([access, label]) => html`<option value=${access} ?selected=${access === chosen}>${label}</option>`)}
      </select>`,
    );
  };
  const radio = (label: string, value: boolean): TemplateResult =>
    checkField(label, { type: 'radio', name: 'limit', isChecked: isLimited === value, onChange: () => onLimit(value) });
  return html`<fieldset>
    <legend>${t('key.rights')}</legend>
    ${radio(t('key.rights-all'), false)} ${radio(t('key.rights-some'), true)}
    ${isLimited ? partsOf(portal).map(choice) : nothing}
    <p class="error" aria-live="polite">${isMissing ? t('key.rights-missing') : nothing}</p>
  </fieldset>`;
};

/** The rights of such a form, with those of the key that the platform does not list. @internal */
export const readRights = (
  portal: Portal,
  form: HTMLFormElement,
  former: readonly string[] = [],
): readonly string[] => {
  const parts = partsOf(portal);
  return [
    ...former.filter((right) => !parts.includes(partOf(right))),
    ...parts.flatMap((part) => {
      const access = fieldText(form, `right-${part}`);
      return access === '' ? [] : [`${part}:${access}`];
    }),
  ];
};
