import { type Catalogue, createCatalogue } from './catalogue.ts';
import type { ObjectDefinition, ObjectShape, PayloadSchema } from './define-object.ts';
import { type EventType, type ObjectName, type SpecifiedPairs, specification } from './specification.ts';
import { wrongObjectName } from './wrong-pair.ts';

/**
 * The catalogue of the specification (§6.2 to §6.4): 4 object names, 23 event types, 32 pairs. A kit without the option
 * `catalogue` has it.
 * @public
 */
export const catalogue: Catalogue<SpecifiedPairs> = createCatalogue(specification);

/**
 * Defines an object kind: its schema, its serialization groups, and the groups that each event type sends
 * (specification §2.3). Groups name leaves only, so a field that is added to the schema is not sent by accident. `id`
 * is always sent.
 * @example
 * const payment = defineObject('RequestPayment', {
 *   schema: z.object({
 *     id: z.string(),
 *     status: z.string(),
 *     recipient: z.object({ email: z.email(), iban: z.string() }),
 *   }),
 *   groups: { summary: ['status'], payer: ['recipient.email'] },
 *   events: { default: ['summary'], payed: ['summary', 'payer'] },
 * });
 * @throws TypeError that names the object, event type, group or path that does not exist.
 * @public
 */
export const defineObject = <N extends ObjectName, S extends PayloadSchema, G extends string>(
  objectName: N,
  shape: ObjectShape<EventType<N>, S, G>,
): ObjectDefinition<N, S, EventType<N>> => {
  const wrong = wrongObjectName(catalogue, objectName);
  if (wrong !== undefined)
    throw new TypeError(`defineObject: ${wrong} Objects of your own belong to a catalogue: defineCatalogue({ … }).`);
  return catalogue.defineObject(objectName, shape);
};
