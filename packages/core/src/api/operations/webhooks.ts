import { describeDeprecated } from '../../base/http/deprecation.ts';
import { type DurationMs, day, hour, minute, second } from '../../base/runtime/time.ts';
import type { ObjectDefinition } from '../../webhooks/catalogue/define-object.ts';
import type { CatalogueEntry } from '../../webhooks/catalogue/entries.ts';
import { project } from '../../webhooks/catalogue/projection.ts';
import { envelopeRest } from '../../webhooks/envelope/envelope.ts';
import { bodyIn } from '../../webhooks/envelope/other-texts.ts';
import type { WebhookEnvelope } from '../../webhooks/envelope/webhook-envelope.ts';
import type { CheckedProfile } from '../../webhooks/signature/wire-profile.ts';
import { createSchemaWriter, type JsonSchema, type SchemaWriter } from './json-schema.ts';
import { selectSchema } from './payload.ts';
import { sampleObject } from './sample.ts';
import { type WebhookExample, webhookHeaders } from './webhook-headers.ts';

/** An event as it is sent, where a sample of the schema satisfies the host's own rules. */
const exampleOf = (
  definition: ObjectDefinition,
  type: string,
  whole: JsonSchema,
  envelope: WebhookEnvelope,
): WebhookExample | undefined => {
  const { objectName, selections } = definition;
  const selection = selections.get(type);
  const sample = sampleObject(definition, whole);
  if (!selection || !sample) return undefined;
  const event = { id: '01910b3e-4f6a-7c1d-9e2f-3a4b5c6d7e8f', timestamp: 1_798_761_600, objectName, type };
  try {
    const bodyTail = envelopeRest(project(sample, selection), objectName, type);
    return { ...event, body: bodyIn(envelope, { ...event, accountId: 'account_1', bodyTail }, event.timestamp) };
  } catch {
    // Data that cannot be sent.
    return undefined;
  }
};

const ofSpecification = ({ objectName, type }: CatalogueEntry, data: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: {
    timestamp: {
      type: 'integer',
      minimum: 0,
      description: 'Seconds since 1970-01-01T00:00:00Z; strictly increasing for one `data.id`.',
    },
    data,
    objectName: { type: 'string', const: objectName },
    type: { type: 'string', const: type },
  },
  required: ['timestamp', 'data', 'objectName', 'type'],
});

const ofStandardWebhooks = ({ objectName, type }: CatalogueEntry, data: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: {
    type: { type: 'string', const: `${objectName}.${type}` },
    timestamp: { type: 'string', format: 'date-time', description: 'Strictly increasing for one `data.id`.' },
    data,
  },
  required: ['type', 'timestamp', 'data'],
});

/** The schema of a body. A function of the host writes its own, of which the example shows the fields. */
const bodySchema = ({ name }: WebhookEnvelope, entry: CatalogueEntry, data: () => JsonSchema): JsonSchema => {
  if (name === 'specification') return ofSpecification(entry, data());
  if (name === 'standard-webhooks') return ofStandardWebhooks(entry, data());
  return { type: 'object', description: 'As in the example.' };
};

const units = [
  ['day', day],
  ['hour', hour],
  ['minute', minute],
  ['second', second],
] as const;

/** `3 days`, in the largest unit of which it has two. */
const about = (time: DurationMs): string => {
  const [name, size] = units.find(([, each]) => time >= 2 * each) ?? units[3];
  const count = Math.max(Math.round(time / size), 1);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
};

const describeRetries = (schedule: readonly DurationMs[]): string => {
  const { length } = schedule;
  if (length === 0) return 'It is not sent again.';
  const whole = about(schedule.reduce((sum, wait) => sum + wait, 0));
  return `It is sent again, up to ${length === 1 ? 'once' : `${length} times`} over about ${whole}.`;
};

/** What follows the answers of a receiver. */
export const webhookAnswers = (retrySchedule: readonly DurationMs[]) => ({
  '2XX': { description: 'The event was processed, or processed before. It is not sent again.' },
  '409': {
    description: `The event is being processed. ${retrySchedule.length === 0 ? 'It is not sent again.' : 'It is sent again.'}`,
  },
  '410': { description: 'The endpoint is gone: it is disabled, and nothing more is sent.' },
  '429': { description: 'Too many events. The endpoint is left alone for the time in `Retry-After`.' },
  '5XX': {
    description: `The event was not processed. ${describeRetries(retrySchedule)}`,
  },
});

/** The webhook of one event type, with its payload, headers and an example with a right signature. */
export const webhookOf = (
  definition: ObjectDefinition,
  entry: CatalogueEntry,
  { write, keep, components }: SchemaWriter,
  { profile, answers }: { readonly profile: CheckedProfile; readonly answers: ReturnType<typeof webhookAnswers> },
) => {
  const { objectName, type, description, version, deprecated } = entry;
  const { envelope } = profile;
  const selection = definition.selections.get(type);
  const whole = write(definition.schema, 'output');
  const selected = selection ? selectSchema(whole, selection, components) : whole;
  const data = () => keep(`${objectName}Data`, selected, `${objectName}_${type}Data`);
  const example = exampleOf(definition, type, whole, envelope);
  const name = `${objectName}.${type}`;
  const rules =
    `Payload version ${version}. Verify the signature over the exact bytes received, then deduplicate by ` +
    (envelope.name === 'specification' || envelope.name === 'standard-webhooks'
      ? '`data.id` and `timestamp`, which increases with every event of an object.'
      : 'the id of the event, or the id of the object and the time.');
  return {
    tags: ['Webhooks'],
    operationId: `receive${objectName}_${type}`,
    summary: description ?? name,
    ...(deprecated ? { deprecated: true, description: describeDeprecated(rules, deprecated) } : { description: rules }),
    // The signature authenticates the platform.
    security: [],
    parameters: webhookHeaders(profile, example),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: bodySchema(envelope, entry, data),
          ...(example ? { example: JSON.parse(example.body) } : {}),
        },
      },
    },
    responses: answers,
  };
};

/** The JSON Schema of each webhook body in an envelope, alone. */
export const payloadSchemas = (
  objects: readonly ObjectDefinition[],
  envelope: WebhookEnvelope,
): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    objects.flatMap(({ schema, entries, selections }) =>
      entries.flatMap((entry) => {
        const selection = selections.get(entry.type);
        if (!selection) return [];
        const { write, components } = createSchemaWriter();
        const data = () => selectSchema(write(schema, 'output'), selection, components);
        const name = `${entry.objectName}.${entry.type}`;
        const text = JSON.stringify({
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          title: name,
          ...(entry.description === undefined ? {} : { description: entry.description }),
          ...bodySchema(envelope, entry, data),
          ...(components.size > 0 ? { $defs: Object.fromEntries(components) } : {}),
        });
        return [[name, JSON.parse(text.replaceAll('"#/components/schemas/', '"#/$defs/'))]];
      }),
    ),
  );
