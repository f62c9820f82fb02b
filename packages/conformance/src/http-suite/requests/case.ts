import type { RequestsClient } from './client.ts';

/** Cases of requests, by the rule that each asserts. @internal */
export type RequestsCases = Readonly<Record<string, (client: RequestsClient) => Promise<void>>>;
