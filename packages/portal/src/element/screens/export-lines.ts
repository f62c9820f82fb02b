/** Saves a list as a file with one JSON text a line. @internal */
export const exportLines = (items: readonly object[], name: string): void => {
  const text = items.map((item) => `${JSON.stringify(item)}\n`).join('');
  const url = URL.createObjectURL(new Blob([text], { type: 'application/jsonl' }));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = `${name}.jsonl`;
  anchor.click();
  URL.revokeObjectURL(url);
};
