const encoder = new TextEncoder();

/** UTF-8. @internal */
export const toUtf8 = (text: string): Uint8Array => encoder.encode(text);

/** Length in UTF-8 bytes, without making them. @internal */
export const utf8Length = (text: string): number => {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      bytes += 2; // four bytes for two units
      index++;
    } else bytes += 2;
  }
  return bytes;
};

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text, or `undefined` when the bytes are not UTF-8. A byte order mark is dropped. @internal */
export const fromUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
};

/**
 * Whether a text holds control characters: C0, DEL or C1 (ISO/IEC 6429). Terminals obey both ranges.
 * @internal
 */
export const hasControls = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /[\u0000-\u001f\u007f-\u009f]/.test(text);

const mostBytes = 256;

/**
 * Whether `text` may be stored as an identifier: 1 to 256 UTF-8 bytes, well-formed, no control characters (a NUL cannot
 * be stored by PostgreSQL).
 * @internal
 */
export const isIdentifier = (text: unknown): text is string =>
  typeof text === 'string' &&
  text.length > 0 &&
  text.length <= mostBytes &&
  text.isWellFormed() &&
  !hasControls(text) &&
  utf8Length(text) <= mostBytes;
