import { markPaid } from '../../../../lib/payments.ts';

export const runtime = 'nodejs';

/** Your own route: whoever may call it is up to you. */
export const POST = async (_: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> =>
  new Response(null, { status: (await markPaid((await params).id)) ? 204 : 404 });
