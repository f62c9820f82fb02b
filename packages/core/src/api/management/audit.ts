import { z } from 'zod';
import { clientFields } from '../../access/clients/client-fields.ts';
import type { AuditEntry } from '../../base/audit/audit-entry.ts';
import { type Fields, seen, seenIf, shownAs } from '../../base/fields/field.ts';
import { present } from '../../base/fields/present.ts';
import { seenAt } from '../../base/fields/values.ts';
import { many, one, viewOf } from '../../base/fields/view.ts';
import type { Actor } from '../../base/signals/actor.ts';
import type { EndpointFields } from '../../webhooks/endpoints/endpoint-fields.ts';
import { pageSchema } from '../operations/page-schema.ts';
import { pageOf, pageQuery } from '../operations/query.ts';
import { type ManagementOperation, operation } from './operation.ts';

/** What concerns the platform alone, though it is about the account. */
const hidden: ReadonlySet<string> = new Set(['publish.refused', 'due_command.refused']);

/** Who did it: neither the host's names of its users and jobs nor its rules. */
const shownActor = (by: Actor): object => {
  if (by.type === 'client' || by.type === 'user') return { type: by.type, id: by.id };
  return { type: by.type === 'rule' ? 'rule' : 'platform' };
};

interface Change {
  readonly from: unknown;
  readonly to: unknown;
}

/** A value of a change as the API shows the field. */
const shownValue = ({ show }: Fields[string], name: string, value: unknown): unknown => {
  if (value === null || value === undefined) return undefined;
  return show ? show({ [name]: value }, name) : value;
};

/** The changes of fields that the API shows. */
const shownChanges = ({ type, data }: AuditEntry, endpointFields: EndpointFields): readonly object[] => {
  const fields: Fields = type.startsWith('key.') ? clientFields() : endpointFields;
  return Object.entries((data['changes'] ?? {}) as Readonly<Record<string, Change>>).flatMap(([name, { from, to }]) => {
    const field = fields[name];
    if (!field?.view) return [];
    return [{ field: name, ...present({ from: shownValue(field, name, from), to: shownValue(field, name, to) }) }];
  });
};

const ofData = (record: AuditEntry, name: string): unknown => record.data[name];

/** What a session sees of an entry. */
const entryView = (endpointFields: EndpointFields) =>
  viewOf(
    {
      id: seen(z.string()),
      at: seenAt('When it happened.'),
      type: seen(z.string(), 'What happened, such as `key.added` or `endpoint.disabled`. Further ones may follow.'),
      subjectId: seen(z.string(), 'The id of the API key, of the webhook, or of the account.'),
      by: shownAs(
        one(
          viewOf({
            type: seen(
              z.enum(['client', 'user', 'platform', 'rule']),
              '`client`: an API key. `user`: a person. `platform`: the platform. `rule`: a rule of the platform, such ' +
                'as the one that disables a webhook that fails for days.',
            ),
            id: seenIf(z.string(), 'The id of the API key or of the person.'),
          }),
          'Who did it.',
        ),
        ({ by }: AuditEntry) => shownActor(by),
      ),
      change: shownAs(seenIf(z.string(), 'What was done, such as `secret_added`.'), ofData),
      changes: shownAs(
        many(
          viewOf({
            field: seen(z.string()),
            from: seenIf(z.unknown(), 'The value before. Absent: there was none.'),
            to: seenIf(z.unknown(), 'The value after. Absent: there is none.'),
          }),
          'The fields that changed. The query of a URL is left out.',
        ),
        (entry: AuditEntry) => shownChanges(entry, endpointFields),
      ),
      scope: shownAs(seenIf(z.string(), 'Of a pause of sending: `endpoint` or `account`.'), ofData),
      reason: shownAs(seenIf(z.string(), 'Why, such as `failing` or `gone`.'), ofData),
      failures: shownAs(seenIf(z.int().min(0), 'Failed attempts since the last success.'), ofData),
      count: shownAs(seenIf(z.int().min(0), 'How many it concerns.'), ofData),
    },
    {
      name: 'AuditEntry',
      description: 'A change of an API key or webhook, or of the health of one, or a pause of sending.',
      example: {
        ...{ id: 'entry_1', at: 1_798_761_600, type: 'endpoint.changed', subjectId: 'endpoint_1' },
        ...{ by: { type: 'user', id: 'user_1' }, change: 'updated' },
        changes: [{ field: 'label', from: 'Test', to: 'Production' }],
      },
    },
  );

/** The operation on the audit trail of the account. */
export const auditOperations = (endpointFields: EndpointFields): readonly ManagementOperation[] => {
  const view = entryView(endpointFields);
  return [
    operation({
      method: 'GET',
      path: '/audit',
      part: 'audit',
      operationId: 'listAuditEntries',
      summary: 'Lists what changed API keys and webhooks of the account, and who did it',
      description: 'A page may be short or empty and still have a `next`.',
      query: pageQuery(),
      answers: { 200: { description: 'A page of the list.', schema: pageSchema(view.schema) } },
      refuses: ['invalid_cursor'],
      handle: ({ managed, accountId, query }) =>
        managed.audit.list(accountId, { page: pageOf(query) }).map(({ items, ...page }) => ({
          body: { items: items.filter(({ type }) => !hidden.has(type)).map(view.show), ...page },
        })),
    }),
  ];
};
