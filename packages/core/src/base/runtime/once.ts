/**
 * Makes a value when it is first needed. Schemas of zod are made this way: a host uses few of them, and to build all of
 * them would double the time of its start.
 */
export const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};
