import type { RequestsClient } from './client.ts';

/** Cases of requests, by the rule that each asserts. */
export type RequestsCases = Readonly<Record<string, (client: RequestsClient) => Promise<void>>>;
