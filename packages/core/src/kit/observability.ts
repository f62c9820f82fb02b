import type { Observability, PartnerkitOptions } from './options.ts';

/** The listener and the trace context that the option `observe` gives. */
export const observabilityOf = (given: PartnerkitOptions<object, readonly []>['observe']): Required<Observability> => {
  if (typeof given === 'function') return { observe: given, traceContext: undefined };
  return { observe: given?.observe?.bind(given), traceContext: given?.traceContext?.bind(given) };
};
