import { html, type TemplateResult } from 'lit';
import { actionButton } from '../parts/button.ts';
import { DialogPart } from '../parts/dialog-part.ts';
import { textField } from '../parts/field.ts';
import { fieldText, localTime, secondsOf } from '../parts/form-values.ts';
import { linesOf, listFields } from '../parts/list-fields.ts';
import { failureOf } from '../parts/notice.ts';
import { define } from '../parts/portal-part.ts';
import { publicKeyFields, readPublicKeys } from '../parts/public-key-fields.ts';
import { readRights, rightsFields } from '../parts/rights-fields.ts';
import type { ApiKey, ApiKeyChange } from '../portal.ts';

/** What a dialog says of a key. `null`: the limit is removed. */
export type KeyInput = ApiKeyChange & { readonly name: string };

type Limit = 'rights' | 'children' | 'networks';
/** A field with an error, and what takes the focus then. */
type Fault = 'name' | 'rights' | 'children' | 'networks' | 'expires' | 'jwks';
const focused: Readonly<Record<Fault, string>> = {
  name: '#key-name',
  rights: 'select',
  children: '#key-children',
  networks: '#key-networks',
  expires: '#key-expires',
  jwks: '#key-jwks',
};

/** Parts whose events a webhook receives for all children alike. */
const isOfAllChildren = (right: string): boolean => /^(webhooks|events):/.test(right);

/** What a form says of a limit that a key had or has. `undefined`: there is and was none. */
const changeOf = <T>(isLimited: boolean, value: T, former: T | undefined): T | null | undefined => {
  if (isLimited) return value;
  return former === undefined ? undefined : null;
};

/** A dialog with the name, the rights and the other limits of a key, and its public keys. */
class KeySettings extends DialogPart {
  static override properties = {
    ...DialogPart.properties,
    title: { attribute: false },
    confirm: { attribute: false },
    former: { attribute: false },
    act: { attribute: false },
    limited: { state: true },
    fault: { state: true },
  };

  declare title: string;
  declare confirm: string;
  /** Absent: a new key. */
  declare former: ApiKey | undefined;
  /** Does it; what it resolves to runs after the dialog has closed. */
  declare act: (input: KeyInput) => Promise<() => void>;
  /** The limits that were switched on or off. The others are as the key is. */
  declare limited: Readonly<Partial<Record<Limit, boolean>>> | undefined;
  declare fault: Fault | undefined;

  #isLimited(limit: Limit): boolean {
    return this.limited?.[limit] ?? this.former?.[limit] !== undefined;
  }

  #limit(limit: Limit): (isLimited: boolean) => void {
    return (isLimited) => {
      this.limited = { ...this.limited, [limit]: isLimited };
      this.fault = undefined;
    };
  }

  /** The end of the key as the form shows it. */
  get #end(): string {
    return localTime(this.former?.expiresAt ?? Number.NaN);
  }

  /** The end that a form gives. `undefined`: it is as before. */
  #endOf(form: HTMLFormElement): number | null | undefined {
    const text = fieldText(form, 'expires');
    return text === this.#end ? undefined : (secondsOf(text) ?? null);
  }

  protected override get heading(): string {
    return this.title;
  }

  /** What the form says, or the field that is wrong. */
  #read(form: HTMLFormElement): KeyInput | Fault {
    const { former, portal } = this;
    const name = fieldText(form, 'name').trim();
    if (name === '') return 'name';
    const chosen = this.#isLimited('rights') ? readRights(portal, form, former?.rights) : undefined;
    if (chosen?.length === 0) return 'rights';
    const isLimited = this.#isLimited('children');
    if (isLimited && (chosen === undefined || chosen.some(isOfAllChildren))) return 'children';
    const networks = linesOf(form, 'networks');
    if (this.#isLimited('networks') && networks.length === 0) return 'networks';
    const expiresAt = this.#endOf(form);
    if (typeof expiresAt === 'number' && expiresAt * 1_000 <= Date.now()) return 'expires';
    const jwks = readPublicKeys(form, former?.jwks?.keys);
    if (jwks === 'wrong') return 'jwks';
    const input = {
      rights: changeOf(chosen !== undefined, chosen ?? [], former?.rights),
      children: changeOf(isLimited, linesOf(form, 'children'), former?.children),
      networks: changeOf(this.#isLimited('networks'), networks, former?.networks),
      ...{ expiresAt, jwks },
    };
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    return { name, ...(given as ApiKeyChange) };
  }

  async #submit(event: Event): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const input = this.#read(form);
    this.fault = typeof input === 'string' ? input : undefined;
    if (typeof input === 'string') {
      form.querySelector<HTMLElement>(focused[input])?.focus();
      return;
    }
    let then: (() => void) | undefined;
    await this.finish(
      async () => {
        then = await this.act(input);
      },
      () => then?.(),
    );
  }

  /** The children and the networks of the key: all, or a list. */
  #lists(): readonly unknown[] {
    const { former, fault } = this;
    const { texts, session } = this.portal;
    const { t } = texts;
    return [
      listFields({
        ...{ name: 'children', legend: t('key.children'), all: t('key.children-all'), some: t('key.only-these') },
        hint: t('key.children-hint'),
        values: former?.children,
        isLimited: this.#isLimited('children'),
        error: fault === 'children' ? t('key.children-rights') : undefined,
        onLimit: this.#limit('children'),
      }),
      session.hasNetworks || former?.networks !== undefined
        ? listFields({
            ...{ name: 'networks', legend: t('key.networks'), all: t('key.networks-all'), some: t('key.only-these') },
            hint: t('key.networks-hint'),
            values: former?.networks,
            isLimited: this.#isLimited('networks'),
            error: fault === 'networks' ? t('key.networks-missing') : undefined,
            onLimit: this.#limit('networks'),
          })
        : undefined,
    ];
  }

  protected override content(): TemplateResult {
    const { fault, former } = this;
    const { texts, session } = this.portal;
    const { t } = texts;
    return html`<form novalidate @submit=${this.#submit}>
      ${textField('key-name', 'name', t('key.name'), {
        value: former?.name ?? '',
        hint: t('key.name-hint'),
        error: fault === 'name' ? t('field.required') : undefined,
        isRequired: true,
        hasFocus: true,
      })}
      ${rightsFields(this.portal, {
        rights: former?.rights,
        isLimited: this.#isLimited('rights'),
        isMissing: fault === 'rights',
        onLimit: this.#limit('rights'),
      })}
      ${this.#lists()}
      ${textField('key-expires', 'expires', t('key.expires'), {
        type: 'datetime-local',
        value: this.#end,
        hint: t('key.expires-hint'),
        error: fault === 'expires' ? t('key.expires-past') : undefined,
      })}
      ${
        session.hasPublicKeys || former?.jwks !== undefined
          ? publicKeyFields(texts, former?.jwks?.keys, fault === 'jwks')
          : undefined
      }
      ${failureOf(texts, this.action)}
      ${this.buttons(this.cancelButton(), actionButton(this.action, this.confirm, { kind: 'primary', type: 'submit' }))}
    </form>`;
  }
}

define('partnerkit-key-settings', KeySettings);
