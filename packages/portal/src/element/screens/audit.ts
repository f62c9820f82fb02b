import { html, nothing, type TemplateResult } from 'lit';
import { readAll } from '../api.ts';
import { endpointName } from '../health.ts';
import { heading } from '../parts/heading.ts';
import { link } from '../parts/link.ts';
import { emptyState } from '../parts/notice.ts';
import { PagedList } from '../parts/paged-list.ts';
import { define, ScreenPart } from '../parts/portal-part.ts';
import { Resource } from '../parts/resource.ts';
import { table } from '../parts/table.ts';
import { exactly } from '../parts/time.ts';
import type { ApiKey, AuditEntry, Endpoint, Portal } from '../portal.ts';

/** A value of a change, if a person can read it. */
const shownValue = (value: unknown): string | undefined => {
  if (value === undefined) return '—';
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string') ? value.join(', ') : undefined;
  return typeof value === 'object' ? undefined : String(value);
};

/** Who changed the API keys and webhooks of the account. */
class Audit extends ScreenPart {
  readonly #list = new PagedList<AuditEntry>(this, { path: () => 'audit', query: () => ({}) });
  /** What has a name, by its id. */
  readonly #names = new Resource<ReadonlyMap<string, string>>(this, {
    name: () => 'audit-names',
    read: async (api, signal) => {
      const { can } = this.portal;
      const [endpoints, keys] = await Promise.all([
        can('webhooks', 'read') ? readAll<Endpoint>(api, 'endpoints', signal) : [],
        can('keys', 'read') ? readAll<ApiKey>(api, 'api-keys', signal) : [],
      ]);
      return new Map([
        ...endpoints.map((each) => [each.id, endpointName(each)] as const),
        ...keys.map(({ id, name }) => [id, name] as const),
      ]);
    },
  });

  #who({ by }: AuditEntry): string {
    const { session, texts } = this.portal;
    if (by.type === 'platform' || by.type === 'rule') return texts.t(`audit.by-${by.type}`);
    const { id = '' } = by;
    if (by.type === 'user') return id === session.userId ? texts.t('audit.by-you') : id;
    return texts.t('audit.by-key', { name: this.#names.value?.get(id) ?? id });
  }

  #subject({ type, subjectId, scope }: AuditEntry): TemplateResult | string {
    const { portal } = this;
    if (scope === 'account') return portal.texts.t('audit.all-webhooks');
    if (type === 'account.changed') return portal.session.accountName ?? portal.session.accountId;
    const name = this.#names.value?.get(subjectId);
    if (name === undefined) return html`<code>${subjectId}</code>`;
    return type.startsWith('key.') ? name : link(portal, { screen: 'webhooks', id: subjectId }, name);
  }

  #what({ type, changes, count }: AuditEntry): TemplateResult {
    const { texts } = this.portal;
    // A new object has all its fields.
    const shown = type.endsWith('.added') ? [] : changes;
    return html`${texts.find('audit.type', type, type)}${count === undefined ? nothing : html` (${texts.number(count)})`}
    ${shown.map(({ field, from, to }) => {
      const [before, after] = [shownValue(from), shownValue(to)];
      return html`<div class="muted small">
        ${field}${before === undefined || after === undefined ? nothing : html`: ${before} → ${after}`}
      </div>`;
    })}`;
  }

  override render(): TemplateResult {
    const { portal } = this;
    const { texts } = portal;
    const { t } = texts;
    return html`${heading(portal, t('audit'), { actions: this.#list.exportButton })}
      <p class="muted">${t('audit.intro')}</p>
      ${this.#list.render(
        (items) =>
          table<AuditEntry>({
            ...{ label: t('audit'), name: 'audit', items, keyOf: ({ id }) => id },
            columns: [
              { name: t('audit.what'), cell: (entry) => this.#what(entry) },
              { name: t('audit.subject'), cell: (entry) => this.#subject(entry) },
              { name: t('audit.who'), cell: (entry) => this.#who(entry) },
              { name: t('event.time'), cell: ({ at }) => exactly(texts, at) },
            ],
          }),
        () => emptyState(t('activity.none'), t('audit.none-text')),
      )}`;
  }
}

define('partnerkit-audit', Audit);

/** @internal */
export const screen = (portal: Portal): TemplateResult => html`<partnerkit-audit .portal=${portal}></partnerkit-audit>`;
