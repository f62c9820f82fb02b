import type { NewEvent } from '@partnerkit/core/ports';
import fc from 'fast-check';
import { type EventPair, eventPairArbitrary } from './catalogue.ts';
import { idArbitrary, identifierArbitrary, moment } from './identifiers.ts';
import { recordOf } from './record-of.ts';

/** Trace contexts in the format of W3C Trace Context, and other texts that a host may pass. @internal */
export const traceContextArbitrary = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc
      .tuple(fc.stringMatching(/^[1-9a-f][0-9a-f]{31}$/), fc.stringMatching(/^[1-9a-f][0-9a-f]{15}$/), fc.boolean())
      .map(([trace, span, sampled]) => `00-${trace}-${span}-0${sampled ? 1 : 0}`),
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 64 }),
  );

/** Some are keys of an envelope, or special in JavaScript. */
const key = fc.oneof(
  { withCrossShrink: true },
  { weight: 3, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.constantFrom('id', 'timestamp', 'type', '__proto__') },
);
/** Fields of `data` besides its id: those of the specification, and any others. */
const dataFields = (): fc.Arbitrary<Readonly<Record<string, unknown>>> =>
  fc.oneof(
    { withCrossShrink: true },
    fc.record(
      {
        name: fc.string({ unit: 'grapheme' }),
        status: fc.constantFrom('in_progress', 'done'),
        depositAmount: fc.integer({ min: 0, max: 1_000_000 }).map((cents) => cents / 100),
        recipient: fc.record({ email: fc.emailAddress() }, { noNullPrototype: true }),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
    fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4, noNullPrototype: true }),
  );

/** An event without its body, which contains the id of its object. */
type EventFields = Omit<NewEvent, 'bodyTail' | 'onlyTo' | 'origin'>;

/** Builds an event from its fields, with `more` in its `data`. @internal */
export const eventOf = (fields: EventFields, more: Readonly<Record<string, unknown>>): NewEvent => {
  const data = JSON.stringify({ ...more, id: fields.objectId });
  return { ...fields, bodyTail: `,"data":${data},"objectName":"${fields.objectName}","type":"${fields.type}"}` };
};

/** The parts of an event: its fields, and more fields of its `data`. @internal */
export const eventPartsArbitrary = (
  change: Partial<EventFields> = {},
): fc.Arbitrary<readonly [EventFields, Readonly<Record<string, unknown>>]> => {
  const fields = recordOf<Omit<EventFields, keyof EventPair>>(
    {
      id: idArbitrary(),
      accountId: identifierArbitrary(),
      objectId: identifierArbitrary(),
      occurredAt: moment(),
      idempotencyKey: identifierArbitrary(),
      traceContext: traceContextArbitrary(),
    },
    change,
    ['occurredAt', 'idempotencyKey', 'traceContext'],
  );
  return fc
    .tuple(fields, eventPairArbitrary(change), dataFields())
    .map(([event, { objectName, type }, more]) => [{ ...event, objectName, type }, more]);
};

/**
 * Events as `publish` stores them. `bodyTail` is derived from the other fields, including `change`, and stays far below
 * the maximum size of a body.
 * @example
 * const property = fc.asyncProperty(newEventArbitrary({ accountId: 'acc_a' }), async (event) => {
 *   const { events, transaction } = memoryStorage();
 *   await transaction((tx) => events.append(tx, [event]));
 *   deepStrictEqual(await events.findEvent('acc_a', event.id), event);
 * });
 * await fc.assert(property);
 * @throws TypeError when `change` names a pair that the catalogue does not have.
 * @public
 */
export const newEventArbitrary = (
  change: Partial<Omit<NewEvent, 'bodyTail' | 'onlyTo' | 'origin'>> = {},
): fc.Arbitrary<NewEvent> => eventPartsArbitrary(change).map(([fields, more]) => eventOf(fields, more));
