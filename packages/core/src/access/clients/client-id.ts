/**
 * Whether a text can be a `client_id` (RFC 6749 §A.1): 1 to 128 visible ASCII characters and blanks between them. Ours
 * are UUIDs; imported clients keep their own.
 */
export const isClientId = (text: unknown): text is string =>
  typeof text === 'string' && /^[\x21-\x7e]([\x20-\x7e]{0,126}[\x21-\x7e])?$/.test(text);
