/** Controls, format characters such as those that change the direction, line separators and lone surrogates. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Writes `\u001b` for each character that a terminal interprets, so that a text from outside can neither command it nor
 * begin a line. Inside a JSON string, the value stays the same.
 */
export const escapeControls = (text: string): string =>
  text.replace(unsafe, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
