import { html, LitElement, render, type TemplateResult } from 'lit';
import { createTexts } from '../../src/element/i18n.ts';
import type { Action } from '../../src/element/parts/action.ts';
import { badge } from '../../src/element/parts/badge.ts';
import { actionButton, plainButton } from '../../src/element/parts/button.ts';
import { chart, sparkline } from '../../src/element/parts/chart.ts';
import { chips, choices } from '../../src/element/parts/chips.ts';
import { codeBlock, copyable } from '../../src/element/parts/copyable.ts';
import { facts } from '../../src/element/parts/facts.ts';
import { checkField, textField } from '../../src/element/parts/field.ts';
import { card, heading } from '../../src/element/parts/heading.ts';
import { menu } from '../../src/element/parts/menu.ts';
import { emptyState, notice, skeleton } from '../../src/element/parts/notice.ts';
import { styles } from '../../src/element/parts/styles.ts';
import { table } from '../../src/element/parts/table.ts';
import { ago, exactly } from '../../src/element/parts/time.ts';
import { timeline } from '../../src/element/parts/timeline.ts';
import type { Portal } from '../../src/element/portal.ts';

// Every part of the portal in each of its states, on one page.

const texts = createTexts('en-GB');
const nothing = (): void => undefined;
const portal = {
  texts,
  announce: nothing,
  hrefOf: ({ screen }: { readonly screen: string }) => `#/${screen}`,
  go: nothing,
  report: nothing,
} as unknown as Portal;
const now = Date.now() / 1_000;
const bars = Array.from({ length: 24 }, (_none, index) => ({
  at: Math.floor(now / 3_600) * 3_600 - (23 - index) * 3_600,
  succeeded: index < 6 ? 0 : (index * 7) % 23,
  failed: index > 20 ? 6 : 0,
}));
const working = { isPending: true } as Action;
const idle = { isPending: false } as Action;
const tones = ['good', 'bad', 'warning', 'neutral'] as const;

const all = (): TemplateResult => html`<div class="portal">
  <nav class="navigation" aria-label="Parts">
    <span class="brand"></span><a href="#/home" aria-current="page">Current</a><a href="#/keys">Other</a>
    <span class="account">Account</span>
  </nav>
  <section class="screen" aria-labelledby="screen-title">
    <div>
      ${heading(portal, 'Every part', {
        from: [{ screen: 'webhooks' }, 'List'],
        state: badge('good', 'State'),
        actions: html`${plainButton('Primary', nothing, 'primary')} ${menu(portal, [{ label: 'Item', act: nothing }])}`,
      })}
      ${(['info', 'success', 'warning'] as const).map((kind) => notice(kind, `A notice: ${kind}`, plainButton('Act', nothing)))}
      <div class="row">${tones.map((tone) => badge(tone, tone))}</div>
      <div class="row">
        ${actionButton(idle, 'Plain')} ${actionButton(idle, 'Dangerous', { kind: 'danger' })}
        ${actionButton(idle, 'Primary', { kind: 'primary' })} ${actionButton(working, 'Pending', { kind: 'primary' })}
        ${actionButton(idle, 'Disabled', { isDisabled: true })} ${plainButton('Small', nothing, 'small')}
      </div>
      ${choices(portal, 'Choices', [
        [{ screen: 'home' }, 'Chosen', true],
        [{ screen: 'keys' }, 'Other', false],
      ])}
      ${chips(portal, [[{ screen: 'home' }, 'Object: RequestPayment']])}
      <div class="grid sides">
        <div class="column">
          ${card('Chart', chart(portal, 'Attempts', bars, false), sparkline('Attempts in short', bars))}
          ${card(
            'Timeline',
            timeline('What happened', [
              {
                tone: 'bad',
                title: 'Refused',
                beside: exactly(texts, now - 900),
                content: codeBlock(portal, 'Answer', '{"a":1}'),
              },
              { tone: 'warning', title: 'Late', beside: ago(texts, now - 300) },
              { tone: 'good', title: 'Confirmed', beside: ago(texts, now - 60) },
              { tone: 'neutral', title: 'To come', beside: 'soon' },
            ]),
          )}
          ${card(
            'List',
            table({
              label: 'A list',
              name: 'parts',
              items: ['a', 'b'],
              keyOf: (item) => item,
              columns: [
                { name: 'Name', cell: (item) => html`<a href="#/home">Item ${item}</a>` },
                { name: 'State', cell: () => badge('good', 'Fine') },
                { name: 'Number', look: 'number', cell: () => '1,204' },
              ],
            }),
          )}
          ${card(
            'Form',
            html`<form>
              ${textField('right', 'right', 'A field', { value: 'right', hint: 'With a hint.' })}
              ${textField('wrong', 'wrong', 'Another field', { error: 'Fill in this field.' })}
              ${checkField('A box', { name: 'box', isChecked: true })}
              ${checkField('Some of them', { name: 'some', isChecked: false, isIndeterminate: true })}
              ${checkField('A choice', { type: 'radio', name: 'choice', isChecked: true })}
            </form>`,
          )}
        </div>
        <div class="column">
          ${card(
            'Details',
            facts([
              ['Name', 'Value'],
              ['Id', html`<code>01a208ef-d2e3-7854</code>`],
            ]),
          )}
          ${copyable(portal, 'Public', '01a208ef')} ${copyable(portal, 'Secret', 'whsec_example', true)}
        </div>
      </div>
      ${skeleton(texts)} ${emptyState('Nothing yet', 'Add the first one.', plainButton('Add', nothing, 'primary'))}
    </div>
  </section>
  <div class="toast" role="status">Saved.</div>
</div>`;

class Parts extends LitElement {
  static override styles = styles;

  override render(): TemplateResult {
    return all();
  }
}

customElements.define('all-parts', Parts);
render(html`<main><h1>Parts</h1><all-parts></all-parts></main>`, document.body);
