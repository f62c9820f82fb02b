/** The scope that a login asks for, and that every route needs (specification §4.1). @internal */
export const requiredScope = 'USER';

/** Whether a list of scopes, parted by spaces (RFC 6749 §3.3), holds the required one. @internal */
export const hasRequiredScope = (scope: string): boolean => scope.split(' ').includes(requiredScope);
