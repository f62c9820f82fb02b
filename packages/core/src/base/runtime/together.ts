/** Makes one call for many items: those that are given while a call is under way go with the next one. */
export const together = <I, A>(call: (items: readonly I[]) => Promise<readonly A[]>) => {
  let last: Promise<unknown> = Promise.resolve();
  let next: { readonly items: I[]; readonly answers: Promise<readonly A[]> } | undefined;
  const open = () => {
    const items: I[] = [];
    const answers = last.then(() => {
      next = undefined;
      return call(items);
    });
    last = answers.catch(() => undefined);
    return { items, answers };
  };
  return async (item: I): Promise<A | undefined> => {
    next ??= open();
    const { items, answers } = next;
    const place = items.push(item) - 1;
    return (await answers)[place];
  };
};
