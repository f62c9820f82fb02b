const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isTree = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A value whose keys are in one order. */
const ordered = (value: unknown): unknown => {
  if (!isTree(value)) return value;
  if (Array.isArray(value)) return value.map(ordered);
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, ordered(value[key])]),
  );
};

/** The pointer (RFC 6901) of the first value that differs; `undefined`: none. */
const pointerOf = (old: unknown, next: unknown, at = ''): string | undefined => {
  if (!isTree(old) || !isTree(next) || Array.isArray(old) !== Array.isArray(next))
    return JSON.stringify(old) === JSON.stringify(next) ? undefined : at;
  for (const key of [...Object.keys(old), ...Object.keys(next)]) {
    const path = `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!(Object.hasOwn(old, key) && Object.hasOwn(next, key))) return path;
    const found = pointerOf(old[key], next[key], path);
    if (found !== undefined) return found;
  }
  return undefined;
};

const valueAt = (value: unknown, pointer: string): string => {
  let found = value;
  for (const key of pointer.split('/').slice(1)) {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isTree(found) || !Object.hasOwn(found, name)) return 'nothing';
    found = found[name];
  }
  return (JSON.stringify(found) ?? 'nothing').slice(0, 80);
};

/** Why two texts of JSON differ, as the end of a sentence. */
export const firstDifference = (old: string, next: string): string => {
  const [before, after] = [parse(old), parse(next)];
  let at = 0;
  while (at < old.length && old[at] === next[at]) at += 1;
  const place = `at character ${at}.`;
  if (before === undefined) return `the recorded one is not JSON, ${place}`;
  const pointer = pointerOf(before, after);
  if (pointer !== undefined)
    return `${pointer || 'the whole'} was ${valueAt(before, pointer)}, and is ${valueAt(after, pointer)}.`;
  const same = JSON.stringify(before);
  if (same !== JSON.stringify(after) && JSON.stringify(ordered(before)) === JSON.stringify(ordered(after)))
    return `the same values, with keys in another order, ${place}`;
  if (/\\\//.test(old)) return `the same values, but the old one writes / as \\/, ${place}`;
  if (/\\u[0-9a-f]{4}/i.test(old)) return `the same values, but the old one writes characters as \\uXXXX, ${place}`;
  if (old.length > same.length) return `the same values, but the old one has blanks between them, ${place}`;
  return `the same values, written in another way, ${place}`;
};
