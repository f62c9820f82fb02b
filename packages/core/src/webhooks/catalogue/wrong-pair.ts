import { hint, quoted } from '../../base/runtime/did-you-mean.ts';

/** The problem of an event type that an object does not have, with the closest one. */
export const unknownType = (objectName: string, type: unknown, types: readonly string[]): string =>
  `${objectName} has no type ${quoted(type, 'of that name')}${hint(type, types)}`;

/** The wrong part of a pair that no definition has, and its problem with the closest name or type. */
export const wrongPair = (
  definitions: ReadonlyMap<string, { readonly eventTypes: readonly string[] }>,
  objectName: string,
  type: unknown,
): { readonly path: readonly ['objectName' | 'type']; readonly detail: string } => {
  const definition = definitions.get(objectName);
  if (definition) return { path: ['type'], detail: unknownType(objectName, type, definition.eventTypes) };
  const closest = definitions.size > 0 ? hint(objectName, [...definitions.keys()]) : ': the kit has no objects.';
  return { path: ['objectName'], detail: `there is no object ${quoted(objectName, 'of that name')}${closest}` };
};
