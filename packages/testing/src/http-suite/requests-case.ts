import type { RequestsClient } from './requests-client.ts';

/** What partners do with requests, by the law that each one states. @internal */
export type RequestsCases = Readonly<Record<string, (client: RequestsClient) => Promise<void>>>;
