import { hint, quoted } from '../../base/runtime/did-you-mean.ts';
import type { PairTable } from './pairs.ts';

/** The problem of an object name that is not in the catalogue; `undefined` when it is. */
export const wrongObjectName = ({ objectNames }: PairTable, objectName: unknown): string | undefined =>
  objectNames.includes(objectName as string)
    ? undefined
    : `objectName: there is no object ${quoted(objectName, 'of that name')}${hint(objectName, objectNames)}`;

/** The problem of a pair that is not in the catalogue, with the closest type; `undefined` when it is. */
export const wrongPair = (table: PairTable, objectName: unknown, type: unknown): string | undefined => {
  const wrongName = wrongObjectName(table, objectName);
  if (wrongName !== undefined || table.has(objectName as string, type as string)) return wrongName;
  const types = table.typesOf(objectName as string);
  return `type: ${objectName} has no type ${quoted(type, 'of that name')}${hint(type, types)}`;
};
