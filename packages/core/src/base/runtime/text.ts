const encoder = new TextEncoder();

/** UTF-8. */
export const toUtf8 = (text: string): Uint8Array => encoder.encode(text);

/** Length in UTF-8 bytes, without encoding. */
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

/** Decodes UTF-8 and drops a byte order mark; `undefined` when the bytes are not UTF-8. @internal */
export const fromUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
};

/** Whether a text contains control characters: C0, DEL or C1 (ISO/IEC 6429). Terminals interpret both ranges. */
export const hasControls = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /[\u0000-\u001f\u007f-\u009f]/.test(text);

/**
 * Whether a text has nothing invisible at its ends: white space, a byte order mark, a zero-width space. Files and
 * spreadsheets add them.
 */
export const isTrimmed = (text: string): boolean => text === text.replace(/^[\s\u200b-\u200d]|[\s\u200b-\u200d]$/g, '');

const maxIdentifierBytes = 256;

/**
 * Whether `text` is an identifier: 1 to 256 UTF-8 bytes, well-formed, without control characters (PostgreSQL cannot
 * store NUL).
 */
export const isIdentifier = (text: unknown): text is string =>
  typeof text === 'string' &&
  text.length > 0 &&
  text.length <= maxIdentifierBytes &&
  text.isWellFormed() &&
  !hasControls(text) &&
  utf8Length(text) <= maxIdentifierBytes;
