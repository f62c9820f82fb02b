/**
 * How the local search ranks: a page before a member of the API reference. It runs in the browser, so it refers to
 * nothing around it.
 */
export const searchOptions = {
  boostDocument: (id) => (id.includes('/reference/api/') ? 0.3 : id.includes('/decisions/') ? 0.5 : 1),
};
