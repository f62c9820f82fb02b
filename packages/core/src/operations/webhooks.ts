import type { CatalogueEntry } from '../catalogue/catalogue.ts';
import type { ObjectDefinition } from '../catalogue/define-object.ts';
import { project } from '../catalogue/projection.ts';
import { retrySchedule } from '../delivery-rules/retry-policy.ts';
import { envelopeRest, envelopeText } from '../envelope/envelope.ts';
import { day } from '../runtime/time.ts';
import { signBody, signingKey } from '../signature/webhook-signature.ts';
import { createSchemaWriter, type JsonSchema, type SchemaWriter } from './json-schema.ts';
import { selectSchema } from './payload.ts';
import { sampleObject } from './sample.ts';

/** The secret of the examples. */
const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const exampleTimestamp = 1_798_761_600;

/** An event as it is sent, where a sample of the schema satisfies the host's own rules. */
const exampleOf = (
  definition: ObjectDefinition,
  type: string,
  whole: JsonSchema,
): { readonly body: string; readonly signature: string } | undefined => {
  const selection = definition.selections.get(type);
  const sample = sampleObject(definition, whole);
  if (!selection || !sample) return undefined;
  try {
    const body = envelopeText(exampleTimestamp, envelopeRest(project(sample, selection), definition.objectName, type));
    return { body, signature: signBody(signingKey(exampleSecret), body) };
  } catch {
    // Data that cannot be sent.
    return undefined;
  }
};

const envelopeSchema = ({ objectName, type }: CatalogueEntry, data: JsonSchema): JsonSchema => ({
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

const retryDays = Math.round(retrySchedule.reduce((sum, wait) => sum + wait, 0) / day);
const answers = {
  '2XX': { description: 'The event was processed, or processed before. It is not sent again.' },
  '409': { description: 'The event is being processed. It is sent again.' },
  '410': { description: 'The endpoint is gone: it is disabled, and nothing more is sent.' },
  '429': { description: 'Too many events. The endpoint is left alone for the time in `Retry-After`.' },
  '5XX': {
    description:
      'The event was not processed. It is sent again, ' +
      `up to ${retrySchedule.length} times over about ${retryDays} days.`,
  },
};

const header = (name: string, description: string, schema: JsonSchema, isRequired: boolean) => ({
  name,
  in: 'header',
  required: isRequired,
  description,
  schema,
});

/** The webhook of one event type, with its payload, headers and an example with a right signature. @internal */
export const webhookOf = (
  definition: ObjectDefinition,
  entry: CatalogueEntry,
  { write, keep, components }: SchemaWriter,
) => {
  const { objectName, type, description, version } = entry;
  const selection = definition.selections.get(type);
  const whole = write(definition.schema, 'output');
  const selected = selection ? selectSchema(whole, selection, components) : whole;
  const data = keep(`${objectName}Data`, selected, `${objectName}_${type}Data`);
  const example = exampleOf(definition, type, whole);
  const name = `${objectName}.${type}`;
  return {
    tags: ['Webhooks'],
    operationId: `receive${objectName}_${type}`,
    summary: description ?? name,
    description:
      `Payload version ${version}. Verify the signature over the exact bytes received, then deduplicate by ` +
      '`data.id` and `timestamp`, which increases with every event of an object.',
    // The signature authenticates the platform.
    security: [],
    parameters: [
      header(
        'X-WEBHOOK-SIGNATURE',
        'HMAC-SHA-1 of the exact body, keyed with the webhook secret, in lower-case hex.' +
          (example ? ` The example is signed with the secret \`${exampleSecret}\`.` : ''),
        {
          type: 'string',
          pattern: '^[0-9a-f]{40}$',
          ...(example ? { examples: [example.signature] } : {}),
        },
        true,
      ),
      header('User-Agent', 'The platform.', { type: 'string' }, false),
      header('webhook-id', 'Standard Webhooks: the id of the event.', { type: 'string' }, false),
      header('webhook-timestamp', 'Standard Webhooks: seconds since 1970.', { type: 'string' }, false),
      header('webhook-signature', 'Standard Webhooks: `v1,` and HMAC-SHA-256 in Base64.', { type: 'string' }, false),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: envelopeSchema(entry, data),
          ...(example ? { example: JSON.parse(example.body) } : {}),
        },
      },
    },
    responses: answers,
  };
};

/** The JSON Schema of each webhook body, alone. @internal */
export const payloadSchemas = (
  objects: readonly ObjectDefinition[],
  entries: readonly CatalogueEntry[],
): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    entries.flatMap((entry) => {
      const definition = objects.find(({ objectName }) => objectName === entry.objectName);
      const selection = definition?.selections.get(entry.type);
      if (!definition || !selection) return [];
      const { write, components } = createSchemaWriter();
      const data = selectSchema(write(definition.schema, 'output'), selection, components);
      const text = JSON.stringify({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title: `${entry.objectName}.${entry.type}`,
        ...(entry.description === undefined ? {} : { description: entry.description }),
        ...envelopeSchema(entry, data),
        ...(components.size > 0 ? { $defs: Object.fromEntries(components) } : {}),
      });
      return [
        [`${entry.objectName}.${entry.type}`, JSON.parse(text.replaceAll('"#/components/schemas/', '"#/$defs/'))],
      ];
    }),
  );
