import type { ServerResponse } from 'node:http';
import type { ReceiverAct } from './receiver-act.ts';

/** Performs the act of a receiver on a request. */
export const perform = (act: ReceiverAct, response: ServerResponse): void => {
  if (act === 'silence') return;
  if (act === 'cut') {
    response.destroy();
    return;
  }
  response.writeHead(act.status, act.headers);
  if (act.endless) response.write(act.body ?? '');
  else response.end(act.body);
};
