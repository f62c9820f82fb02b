import type { Storage } from '@partnerkit/core/adapter';

type Ports = Omit<Storage<object>, 'transaction' | 'maxTransactions' | 'check' | 'clients'>;
type Method = (...args: never) => Promise<unknown>;
/** The method of a call. */
export type MethodOf<N extends CallName> = N extends `${infer P extends keyof Ports}.${infer M}`
  ? M extends keyof Ports[P]
    ? NonNullable<Ports[P][M]> extends infer F extends Method
      ? F
      : never
    : never
  : never;

/** A method of a port, such as `deliveries.settle`. @public */
export type CallName = { [P in keyof Ports]: `${P}.${keyof Ports[P] & string}` }[keyof Ports];
