/** The origin of a URL: scheme, host and port. Empty for a text that is not a URL; nothing is sent there. */
export const originOf = (url = ''): string => (URL.canParse(url) ? new URL(url).origin : '');
