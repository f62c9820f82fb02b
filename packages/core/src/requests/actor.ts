/**
 * Who gave a command: a client of a partner over HTTP; the host, in process, with the name that it gave of its user or job; or a rule of
 * the machines, after the command that it names.
 * @public
 */
export type Actor =
  | { readonly type: 'client'; readonly id: string }
  | { readonly type: 'host'; readonly id?: string }
  | { readonly type: 'rule'; readonly command: string };
