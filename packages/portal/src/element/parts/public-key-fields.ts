import { html, nothing, type TemplateResult } from 'lit';
import type { Texts } from '../i18n.ts';
import type { ApiKey, ApiKeyChange } from '../portal.ts';
import { checkField, describedBy, field } from './field.ts';
import { fieldText } from './form-values.ts';

type PublicKey = NonNullable<ApiKey['jwks']>['keys'][number];
type KeySet = NonNullable<ApiKeyChange['jwks']>;

/** A public key in words. @internal */
export const publicKeyText = ({ kid, alg }: PublicKey): string => `${kid} (${alg})`;

/** The public keys of a key, each to be removed, and a field for further ones. @internal */
export const publicKeyFields = ({ t }: Texts, keys: readonly PublicKey[] = [], isWrong: boolean): TemplateResult => {
  const id = 'key-jwks';
  return html`<fieldset>
    <legend>${t('key.public')}</legend>
    ${
      keys.length === 0
        ? nothing
        : html`<p class="hint">${t('key.public-kept')}</p>
            ${keys.map((key) => checkField(publicKeyText(key), { name: 'kid', value: key.kid, isChecked: true }))}`
    }
    ${field(
      id,
      t('key.public-add'),
      html`<textarea
        id=${id}
        name="jwks"
        rows="3"
        spellcheck="false"
        autocapitalize="off"
        aria-invalid=${isWrong ? 'true' : 'false'}
        aria-describedby=${describedBy(id, true)}
      ></textarea>`,
      { hint: t('key.public-hint'), error: isWrong ? t('key.public-wrong') : undefined },
    )}
  </fieldset>`;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The keys of a JWK, or of a set (RFC 7517). `undefined`: the text is neither. */
const keysOf = (text: string): KeySet['keys'] | undefined => {
  if (text.trim() === '') return [];
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    const { keys = [value] } = value;
    return Array.isArray(keys) && keys.length > 0 && keys.every((key) => isObject(key) && 'kty' in key)
      ? (keys as KeySet['keys'])
      : undefined;
  } catch {
    return undefined;
  }
};

/** The public keys of such a form. `undefined`: they are as before; `null`: there are none any more. @internal */
export const readPublicKeys = (
  form: HTMLFormElement,
  former: readonly PublicKey[] = [],
): KeySet | null | undefined | 'wrong' => {
  const added = keysOf(fieldText(form, 'jwks'));
  if (added === undefined) return 'wrong';
  const ticked = new FormData(form).getAll('kid');
  const kept = former.filter(({ kid }) => ticked.includes(kid));
  if (added.length === 0 && kept.length === former.length) return undefined;
  // What is shown of a key can be given.
  const keys = [...(kept as KeySet['keys']), ...added];
  return keys.length === 0 ? null : { keys };
};
