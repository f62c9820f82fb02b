import { unknownName } from '../../base/runtime/did-you-mean.ts';
import { isObject } from '../../base/runtime/is-object.ts';
import type { DescribedObjects, EventTypeInfo } from './pairs.ts';

const refuse = (message: string): never => {
  throw new TypeError(`defineCatalogue: ${message}`);
};

/** Names are parts of selectors (`Invoice.payed`) and of webhooks, so they hold no dot and need no escape. */
const nameShape = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const nameRule = 'must be a letter, then at most 63 letters, digits and "_": rename it.';

/** The problem of an object name or a type. A member of every JavaScript object would be found in any table. */
const wrongName = (kind: string, name: unknown): string | undefined => {
  const called = `the ${kind} ${JSON.stringify(name) ?? String(name)}`;
  if (typeof name !== 'string' || !nameShape.test(name)) return `${called} ${nameRule}`;
  return name in Object.prototype ? `${called} is a member of every JavaScript object: rename it.` : undefined;
};

const wrongInfo = (info: unknown): string | undefined => {
  if (!isObject(info)) return "needs an object, such as { description: 'An invoice was paid.' } or {}.";
  const unknown = unknownName('field', info, ['description', 'version']);
  if (unknown !== undefined) return unknown;
  const { description = 'none', version = 1 } = info;
  if (typeof description !== 'string' || description.trim() === '')
    return 'description must be a text that is not empty: write one sentence, or leave it out.';
  if (!Number.isSafeInteger(version) || (version as number) < 1)
    return 'version must be a whole number from 1: correct it, or leave it out.';
  return undefined;
};

/** The entries of one object, whichever way its types are given. */
const entriesOf = (types: unknown): readonly (readonly [unknown, unknown])[] | undefined => {
  if (Array.isArray(types)) return Array.from(types, (type) => [type, {}]);
  return isObject(types) ? Object.entries(types) : undefined;
};

const readTypes = (objectName: string, types: unknown, objectNames: readonly string[]): DescribedObjects[string] => {
  const entries = entriesOf(types);
  if (!entries) return refuse(`${objectName}: list its event types, such as ['creation', 'payed'].`);
  if (entries.length === 0) return refuse(`${objectName} has no event types: add one, or remove ${objectName}.`);
  const read = new Map<string, EventTypeInfo>();
  for (const [type, info] of entries) {
    const wrong = wrongName('type', type);
    if (wrong !== undefined) return refuse(`${objectName}: ${wrong}`);
    const name = type as string;
    if (name === 'default')
      return refuse(`${objectName}: "default" means all other types in defineObject: rename the type.`);
    if (objectNames.includes(name))
      return refuse(`${objectName}: "${name}" is also an object name, so it cannot be selected: rename the type.`);
    if (read.has(name)) return refuse(`${objectName} has the type "${name}" twice: remove one.`);
    const problem = wrongInfo(info);
    if (problem !== undefined) return refuse(`${objectName}.${name}: ${problem}`);
    read.set(name, info as EventTypeInfo);
  }
  return Object.fromEntries(read);
};

/** The types of each object, by name. @throws TypeError that names the remedy. */
export const readCatalogue = (input: unknown): DescribedObjects => {
  if (!isObject(input)) return refuse("it needs an object, such as { Invoice: ['creation', 'payed'] }.");
  const objectNames = Object.keys(input);
  if (objectNames.length === 0)
    return refuse("it has no objects: add one, such as { Invoice: ['creation', 'payed'] }.");
  const wrong = objectNames.map((name) => wrongName('object name', name)).find((each) => each !== undefined);
  if (wrong !== undefined) return refuse(wrong);
  return Object.fromEntries(objectNames.map((name) => [name, readTypes(name, input[name], objectNames)]));
};
