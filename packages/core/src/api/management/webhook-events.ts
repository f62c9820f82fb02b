import { z } from 'zod';
import { documentation } from '#documentation';
import { withExample } from '../../base/fields/example.ts';
import { described } from '../../base/fields/field.ts';
import { present } from '../../base/fields/present.ts';
import type { ObjectDefinition } from '../../webhooks/catalogue/define-object.ts';
import { sampleEvent } from '../operations/sample.ts';
import { secondsField } from './keys.ts';
import { type KeyRow, keyRow } from './operation.ts';

/** The values that a text can have, for the document. A list of none would be no schema. */
const listed = (words: readonly string[]) => (words.length > 0 ? { enum: [...new Set(words)] } : undefined);

/** In the body, not in the query. */
const wrongAfter = [{ pointer: '/after', detail: 'no next of this period.' }];

/** One batch of events of a period that are sent again. */
const repeat = (call: 'replay' | 'recover', operationId: string, summary: string, skipped: string) =>
  keyRow({
    method: 'POST',
    path: `/endpoints/:endpointId/${call}`,
    part: 'deliveries',
    right: 'events:write',
    operationId,
    summary,
    description:
      'Each call handles one batch: repeat it with `next` as `after` until `next` is absent. A repeated call is safe: ' +
      `${skipped} With \`isDryRun\`, it only counts what it would send.`,
    body: withExample(
      z.strictObject({
        from: secondsField(),
        to: secondsField(),
        after: described(z.string(), 'Where the batch begins: `next` of the one before.').optional(),
        isDryRun: described(z.boolean('true or false.'), 'Whether it only counts. Default: false.').optional(),
      }),
      { from: 1_798_761_600, to: 1_801_440_000 },
    ),
    answers: {
      200: {
        description: 'The number of new deliveries, and where the next batch begins.',
        schema: withExample(
          z.strictObject({
            deliveries: described(z.int().min(0), 'The new deliveries of this batch.'),
            next: described(z.string(), 'Where the next batch begins. Absent: it was the last one.').optional(),
          }),
          {
            deliveries: 12,
          },
        ),
      },
    },
    refuses: ['endpoint_disabled', 'invalid_cursor', 'wrong_kind'],
    handle: ({ managed, accountId, params: { endpointId = '' }, body: { after, isDryRun = false, ...period }, by }) =>
      managed.deliveries[call](accountId, endpointId, {
        ...by,
        ...period,
        isDryRun,
        ...(after === undefined ? {} : { after }),
      })
        .map((batch) => ({ body: batch }))
        .mapErr((refusal) => (refusal.code === 'invalid_cursor' ? { ...refusal, errors: wrongAfter } : refusal)),
  });

/** The operations that send events to one webhook endpoint: a test event, and those of a period again. */
export const webhookEventOperations = (objects: readonly ObjectDefinition[]): readonly KeyRow[] => [
  keyRow({
    method: 'POST',
    path: '/endpoints/:endpointId/test',
    part: 'webhooks',
    right: 'events:write',
    operationId: 'sendTestEvent',
    summary: 'Sends a test event to one webhook endpoint, whatever it selects',
    description:
      '`data` has all fields of the event type, but for the `id`, which the platform gives. The `sample` of the catalogue fits.',
    limit: 'testEventsPerAccount',
    body: z
      .strictObject({
        objectName: z
          .string('the name of an object.')
          .register(documentation, present({ keywords: listed(objects.map(({ objectName }) => objectName)) })),
        type: z
          .string('an event type of the object.')
          .register(documentation, present({ keywords: listed(objects.flatMap(({ eventTypes }) => eventTypes)) })),
        data: z.looseObject({}, 'an object that fits the schema of objectName, without id.'),
      })
      .register(documentation, { example: () => sampleEvent(objects) }),
    answers: {
      202: {
        description: 'The test event.',
        schema: withExample(z.strictObject({ eventId: z.string() }), { eventId: 'event_1' }),
      },
    },
    refuses: ['endpoint_disabled', 'invalid_event'],
    handle: ({ managed, accountId, params: { endpointId = '' }, body, by }) =>
      managed.events.sendTest(accountId, endpointId, body as never, by).map(({ eventId }) => ({ body: { eventId } })),
  }),
  repeat(
    'replay',
    'replayEvents',
    'Sends the events of a period to a webhook endpoint again',
    'events with an unfinished delivery are skipped.',
  ),
  repeat(
    'recover',
    'recoverEvents',
    'Sends the events of a period that failed to a webhook endpoint again',
    'an event with an unfinished or a successful delivery is skipped.',
  ),
];
