import { changeTypes } from '../../base/http/content-type.ts';
import { type Code, codes } from './codes.ts';
import type { DescribedOperation, Operation, Refused } from './operation.ts';

/** Whether an operation only reads: it changes nothing. */
export const isRead = ({ method }: Pick<Operation, 'method'>): boolean => method === 'GET' || method === 'HEAD';

/** Whether the request of a method has a body (RFC 9110 §9.3.1). */
export const hasBody = (row: Pick<Operation, 'method'>): boolean => !isRead(row);

/** The media types of the body of an operation. */
export const bodyTypesOf = ({ method, bodyTypes }: Pick<Operation, 'method' | 'bodyTypes'>): readonly string[] =>
  bodyTypes ?? (method === 'PATCH' ? changeTypes : ['application/json']);

/** Whether the body is read as JSON. */
export const readsJson = (row: Pick<Operation, 'method' | 'body' | 'bodyTypes' | 'read'>): boolean =>
  hasBody(row) &&
  row.read === undefined &&
  row.body !== undefined &&
  bodyTypesOf(row).every((type) => changeTypes.includes(type));

/** What the shape of a row refuses, before its handler or after it. */
const ofShape = (row: Operation): readonly Code[] => [
  // A parameter may be no UTF-8, or no identifier.
  ...(row.path.includes(':') ? (['bad_request', 'not_found'] as const) : []),
  ...(row.query ? (['invalid_query'] as const) : []),
  ...(hasBody(row) && !row.read ? (['bad_request', 'too_large'] as const) : []),
  ...(readsJson(row) ? (['unsupported_media_type', 'invalid_input'] as const) : []),
  ...(row.conditional ? (['version_mismatch'] as const) : []),
  ...(row.conditional && !isRead(row) ? (['bad_request'] as const) : []),
  ...(row.idempotent ? (['bad_request', 'idempotency_conflict'] as const) : []),
];

const withStatus = (refused: Refused) =>
  typeof refused === 'string' ? { code: refused, status: codes[refused].status } : refused;

/** Everything that an operation refuses, each once. */
export const refusalsOf = (row: Operation, byAuthentication: readonly Refused[]): DescribedOperation['refuses'] => {
  const all = [...byAuthentication, ...ofShape(row), ...(row.refuses ?? [])].map(withStatus);
  return [...new Map(all.map((each) => [`${each.status} ${each.code}`, each])).values()];
};
