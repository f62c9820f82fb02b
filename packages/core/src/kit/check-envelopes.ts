import { createSchemaWriter } from '../api/operations/json-schema.ts';
import { sampleObject } from '../api/operations/sample.ts';
import type { ObjectDefinition } from '../webhooks/catalogue/define-object.ts';
import { project } from '../webhooks/catalogue/projection.ts';
import { type EnvelopeTemplate, fillTemplate, hasSlot } from '../webhooks/envelope/envelope-template.ts';
import { isUnwritable, type OtherEnvelope, UnwritableEvent, writeTemplate } from '../webhooks/envelope/other-texts.ts';

const stamp = { id: '01910b3e-4f6a-7c1d-9e2f-3a4b5c6d7e8f', timestamp: 1_798_761_600 };

const sampleOf = (definition: ObjectDefinition, type: string): object | undefined => {
  const selection = definition.selections.get(type);
  const sample = sampleObject(definition, createSchemaWriter().write(definition.schema, 'output'));
  try {
    return selection && sample && project(sample, selection);
  } catch {
    // Data that cannot be sent.
    return undefined;
  }
};

/** Whether a receiver can tell two events of one object, and two objects, by what it reads. */
const keepsKey = (template: EnvelopeTemplate, other: EnvelopeTemplate): boolean =>
  hasSlot(template, 'id') ||
  (hasSlot(template, 'seconds', 'time') && fillTemplate(template, stamp) !== fillTemplate(other, stamp));

const checkPair = (envelope: OtherEnvelope, objectName: string, type: string, sample: object): void => {
  const event = { accountId: 'account_1', objectName, type };
  const write = (id: string): EnvelopeTemplate =>
    writeTemplate(envelope, { ...event, data: JSON.stringify({ ...sample, id }) });
  const template = write('example_1');
  if (!keepsKey(template, write('example_2')))
    throw new UnwritableEvent(
      `the envelope ${envelope.name} must contain id, or timestamp and data.id: receivers deduplicate by them.`,
    );
  const read = envelope.read?.(fillTemplate(template, stamp));
  if (!envelope.read) return;
  const isSame =
    read?.objectName === objectName &&
    read.type === type &&
    read.timestamp === stamp.timestamp &&
    read.data?.id === 'example_1';
  if (!isSame)
    throw new UnwritableEvent(
      `the envelope ${envelope.name}: read must return objectName, type, timestamp and data of what write wrote.`,
    );
};

/**
 * Writes a sample of each pair of the catalogue in each envelope of the host.
 * @throws TypeError that names the envelope, the pair and the rule.
 */
export const checkEnvelopes = (envelopes: readonly OtherEnvelope[], objects: readonly ObjectDefinition[]): void => {
  for (const envelope of envelopes)
    for (const definition of objects)
      for (const type of definition.selections.keys()) {
        const sample = sampleOf(definition, type);
        if (!sample) continue;
        try {
          checkPair(envelope, definition.objectName, type, sample);
        } catch (cause) {
          if (!isUnwritable(cause)) throw cause;
          throw new TypeError(`createPartnerkit: ${definition.objectName}.${type}: ${cause.message}`, { cause });
        }
      }
};
