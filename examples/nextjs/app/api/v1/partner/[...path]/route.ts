import { webHandler } from '@partnerkit/web';
import { kit } from '../../../../../lib/kit.ts';

export const runtime = 'nodejs'; // the kit needs node:crypto and a database
export const dynamic = 'force-dynamic';

const handle = webHandler(kit.routes);
const answer = async (request: Request): Promise<Response> =>
  (await handle(request)) ?? new Response(null, { status: 404 });

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
};
