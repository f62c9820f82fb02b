import { createHash } from 'node:crypto';

/** Names statements by their text. */
export const statementNames = (): ((text: string) => string) => {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const name = `partnerkit_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    names.set(text, name);
    return name;
  };
};
