/**
 * What a check of a signature found: it is valid, or how the secret, the signature, the signed text or the body was
 * changed, that it is for another webhook, or that nothing fits.
 */
export type Finding =
  | 'valid'
  | 'no-signature'
  | 'headers-missing'
  | 'public-key'
  | 'endpoint'
  | 'secret-blanks'
  | 'secret-part'
  | 'secret-decoded'
  | 'secret-text'
  | 'signature-form'
  | 'content-body'
  | 'body-space'
  | 'body-lines'
  | 'body-parsed'
  | 'wrong';
