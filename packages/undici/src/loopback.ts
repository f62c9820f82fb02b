/** The ranges of this machine's own addresses. @internal */
export const loopbackRanges: readonly string[] = ['127.0.0.0/8', '::1/128'];

/** What a name of this machine resolves to. */
const loopbackAddresses: readonly string[] = ['127.0.0.1', '::1'];

/**
 * The addresses of `localhost` and the names below it, which no name server is asked for (RFC 6761 §6.3); undefined for any other name.
 * @internal
 */
export const localhostAddresses = (hostname: string): readonly string[] | undefined =>
  /(^|\.)localhost\.?$/i.test(hostname) ? loopbackAddresses : undefined;
