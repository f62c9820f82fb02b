import { specificationSnippets } from '@partnerkit/core/adapter';
import { html, nothing, type TemplateResult } from 'lit';
import { readAll } from '../api.ts';
import { codeBlock } from '../parts/copyable.ts';
import { describedBy, field, textField } from '../parts/field.ts';
import { heading } from '../parts/heading.ts';
import { notice } from '../parts/notice.ts';
import { define, ScreenPart } from '../parts/portal-part.ts';
import { Resource } from '../parts/resource.ts';
import type { Endpoint, Portal } from '../portal.ts';
import { type Checked, diagnose } from '../verify/diagnose.ts';
import { readRequest } from '../verify/read-request.ts';

/** A signature to try, and code that verifies one. What is typed here stays in this page. */
class Verify extends ScreenPart {
  #checked: readonly Checked[] = [];
  #hasNoCrypto = false;
  readonly #webhooks = new Resource<readonly Endpoint[] | undefined>(this, {
    read: async (api, signal) =>
      this.portal.can('webhooks', 'read') ? readAll<Endpoint>(api, 'endpoints', signal) : undefined,
  });

  async #check(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const read = (name: string): string => (form.elements.namedItem(name) as HTMLInputElement).value;
    const text = read('request');
    const request = readRequest(text) ?? { headers: { 'x-webhook-signature': read('signature') }, body: text };
    // A page without HTTPS has none.
    this.#hasNoCrypto = !('subtle' in crypto);
    const webhooks = this.#webhooks.value?.map(({ id }) => id);
    this.#checked = this.#hasNoCrypto ? [] : await diagnose(read('secret'), request, webhooks);
    this.requestUpdate();
  }

  #result({ header, findings }: Checked): TemplateResult {
    const { t, find } = this.portal.texts;
    const name = html`<code>${header}</code>`;
    if (findings.includes('valid')) return notice('success', html`${name} ${t('verify.valid')}`);
    const texts = findings.map((finding) => find('verify.finding', finding, finding));
    return notice('warning', html`${name} <strong>${t('verify.not-valid')}</strong> ${texts.join(' ')}`);
  }

  override render(): TemplateResult {
    const { portal } = this;
    const { t } = portal.texts;
    return html`${heading(portal, t('verify'))}
      <p class="muted">${t('verify.intro')}</p>
      <form class="card form" part="card" @submit=${(event: SubmitEvent) => void this.#check(event)}>
        ${field(
          'verify-request',
          t('verify.request'),
          html`<textarea
            id="verify-request"
            name="request"
            rows="8"
            required
            spellcheck="false"
            autocomplete="off"
            aria-describedby=${describedBy('verify-request', true)}
          ></textarea>`,
          { hint: t('verify.request-hint') },
        )}
        ${textField('verify-signature', 'signature', 'X-WEBHOOK-SIGNATURE', { hint: t('verify.signature-hint') })}
        ${textField('verify-secret', 'secret', t('verify.secret'), { type: 'password', isRequired: true })}
        ${this.#hasNoCrypto ? notice('warning', t('verify.finding.no-crypto')) : nothing}
        ${this.#checked.map((each) => this.#result(each))}
        <div class="row"><button class="primary" part="button primary">${t('verify.check')}</button></div>
      </form>
      <section class="card" part="card">
        <h3>${t('verify.code')}</h3>
        <p class="muted">${t('verify.code-text')}</p>
        ${specificationSnippets().map(
          ({ language, code }) =>
            html`<details>
              <summary>${language}</summary>
              ${codeBlock(portal, `${t('verify.code')}: ${language}`, code)}
            </details>`,
        )}
      </section>`;
  }
}

define('partnerkit-verify', Verify);

/** @internal */
export const screen = (portal: Portal): TemplateResult =>
  html`<partnerkit-verify .portal=${portal}></partnerkit-verify>`;
