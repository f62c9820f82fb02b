/** Whether a text is a dot-segment (RFC 3986 §5.2.4): clients drop it from a path, also percent-encoded. */
export const isDotSegment = (text: string): boolean => text === '.' || text === '..';

/** Why an id is no dot-segment. */
export const dotSegmentRule = 'neither "." nor "..", which a URL drops.';

/**
 * Writes an id as one segment of a path, percent-encoded. Encoding alone is not enough: a URL drops `.`, and `..`
 * removes the segment before it, so that `DELETE /deposits/1/cash-outs/..` would delete the deposit.
 * @example
 * const path = `/payment-requests/${pathSegment(id)}`;
 * @throws TypeError for an id that is empty, `.` or `..`, or that holds half of a surrogate pair. Nothing has such an
 * id.
 * @public
 */
export const pathSegment = (id: string): string => {
  if (typeof id !== 'string' || id === '' || isDotSegment(id) || !id.isWellFormed())
    throw new TypeError('An id in a path is a text, and neither empty nor "." nor "..": nothing has such an id.');
  return encodeURIComponent(id);
};
