import { deprecationProblem } from '../../base/http/deprecation.ts';
import { unknownName } from '../../base/runtime/did-you-mean.ts';
import { isObject } from '../../base/runtime/is-object.ts';
import type { EventTypeInfo } from './pairs.ts';
import { specification } from './specification.ts';
import { unknownType } from './wrong-pair.ts';

/** What the texts of an event type name: fields, or groups of an object that has them. */
export type EventTexts = 'fields' | 'groups';

/** An event type, and the texts that say what it sends. */
export interface ReadEventType {
  readonly info: EventTypeInfo;
  readonly texts: readonly string[];
}

/** Names are parts of selectors (`Invoice.payed`) and of webhooks, so they hold no dot and need no escape. */
const nameShape = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const nameRule = 'must be a letter, then at most 63 letters, digits and "_": rename it.';

/** The problem of an object name or a type. A member of every JavaScript object would be found in any table. */
const wrongName = (kind: string, name: unknown): string | undefined => {
  const called = `the ${kind} ${JSON.stringify(name) ?? String(name)}`;
  if (typeof name !== 'string' || !nameShape.test(name)) return `${called} ${nameRule}`;
  return name in Object.prototype ? `${called} is a member of every JavaScript object: rename it.` : undefined;
};

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');

const wrongInfo = (info: Readonly<Record<string, unknown>>): string | undefined => {
  const { description = 'none', version = 1, deprecated } = info;
  if (typeof description !== 'string' || description.trim() === '')
    return 'description must be a text that is not empty: write one sentence, or leave it out.';
  if (!Number.isSafeInteger(version) || (version as number) < 1)
    return 'version must be a whole number from 1: correct it, or leave it out.';
  const wrong = deprecated === undefined ? undefined : deprecationProblem(deprecated);
  return wrong && `deprecated ${wrong}`;
};

/** Reads the event types of an object. @throws TypeError that names the object, the type and the remedy. */
export const readEventTypes = (
  objectName: string,
  events: unknown,
  kind: EventTexts,
): { readonly fallback: readonly string[] | undefined; readonly types: ReadonlyMap<string, ReadEventType> } => {
  const refuse = (message: string): never => {
    throw new TypeError(`defineObject: ${message}`);
  };
  const wrong = wrongName('object name', objectName);
  if (wrong !== undefined) return refuse(wrong);
  const example = `{ confirmed: [${kind === 'fields' ? "'status'" : "'summary'"}] }`;
  if (!isObject(events)) return refuse(`${objectName}: events must name the event types, such as ${example}.`);

  const { default: fallback, ...listed } = events;
  const texts = `a list of ${kind}`;
  if (fallback !== undefined && !isTexts(fallback)) return refuse(`${objectName}: events.default must be ${texts}.`);
  const specified: Readonly<Record<string, EventTypeInfo>> | undefined = Object.hasOwn(specification, objectName)
    ? specification[objectName as keyof typeof specification]
    : undefined;

  const readType = (type: string, given: unknown): ReadEventType => {
    const place = `${objectName}.${type}`;
    const ofDefault = (): readonly string[] =>
      fallback ?? refuse(`${place} says nothing of its ${kind}: list them, or add events.default.`);
    if (given === true) return { info: specified?.[type] ?? {}, texts: ofDefault() };
    if (isTexts(given)) return { info: specified?.[type] ?? {}, texts: given };
    if (!isObject(given))
      return refuse(`${place} must be ${texts}, true for ${texts} in events.default, or an object with a description.`);
    const unknown = unknownName('field', given, [kind, 'description', 'version', 'deprecated']) ?? wrongInfo(given);
    if (unknown !== undefined) return refuse(`${place}: ${unknown}`);
    const { [kind]: own, ...info } = given;
    if (own !== undefined && !isTexts(own)) return refuse(`${place}: ${kind} must be ${texts}.`);
    return { info: { ...specified?.[type], ...info }, texts: own ?? ofDefault() };
  };

  const types = new Map<string, ReadEventType>();
  // `default` is for all types of the specification, in its order.
  if (specified && fallback) for (const type of Object.keys(specified)) types.set(type, readType(type, true));
  for (const [type, given] of Object.entries(listed)) {
    const problem = specified ? undefined : wrongName('type', type);
    if (problem !== undefined) return refuse(`${objectName}: ${problem}`);
    if (specified && !Object.hasOwn(specified, type))
      return refuse(`type: ${unknownType(objectName, type, Object.keys(specified))}`);
    types.set(type, readType(type, given));
  }
  if (types.size === 0) return refuse(`${objectName} has no event types: name them in events, such as ${example}.`);
  return { fallback, types };
};
