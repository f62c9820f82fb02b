import { hint, quoted } from '../runtime/did-you-mean.ts';
import { catalogue, isEventPair, type ObjectName, objectNames } from './catalogue.ts';

/** What is wrong with an object name that the catalogue does not have; `undefined` for one that it has. @internal */
export const wrongObjectName = (objectName: unknown): string | undefined =>
  typeof objectName === 'string' && Object.hasOwn(catalogue, objectName)
    ? undefined
    : `objectName: there is no object ${quoted(objectName, 'of that name')}${hint(objectName, objectNames)}`;

/** What is wrong with a pair that the catalogue does not have, and which type was probably meant. @internal */
export const wrongPair = (objectName: unknown, type: unknown): string | undefined => {
  const wrongName = wrongObjectName(objectName);
  if (wrongName !== undefined || (typeof type === 'string' && isEventPair(objectName as string, type)))
    return wrongName;
  const types = catalogue[objectName as ObjectName];
  return `type: ${objectName} has no type ${quoted(type, 'of that name')}${hint(type, types)}`;
};
