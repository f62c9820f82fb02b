/** The scope that every route requires (specification §4.1). */
export const requiredScope = 'USER';

/** Whether a scope, a list separated by spaces (RFC 6749 §3.3), contains the required one. */
export const hasRequiredScope = (scope: string): boolean => scope.split(' ').includes(requiredScope);
