/**
 * The origin that a URL is sent to: scheme, host and port. Empty for what is no URL, which a store may hold but nothing is sent to.
 * @internal
 */
export const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');
