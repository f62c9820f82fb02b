import { verifySnippetsOf } from '@partnerkit/core/adapter';
import type { SignatureScheme } from '@partnerkit/core/wire';
import type { Platform } from './platform.ts';

/** What names an event in the body, in Python. */
const keys: Readonly<Record<Platform['envelope'], string | undefined>> = {
  specification: '(event["objectName"], event["data"]["id"], event["type"], event["timestamp"])',
  'standard-webhooks': '(event["data"]["id"], event["type"], event["timestamp"])',
  other: undefined,
};

const isImport = (line: string): boolean => line.startsWith('import ');

/**
 * A whole receiver in Python. `undefined`: the signature covers more than the body, or the body has a form of the
 * platform's own.
 */
export const receiverOf = (scheme: SignatureScheme, { envelope }: Platform): string | undefined => {
  const verifier = verifySnippetsOf(scheme).find(({ language }) => language === 'Python')?.code;
  const key = keys[envelope];
  const [header] = Object.keys(scheme.documents);
  if (verifier === undefined || key === undefined || scheme.headers.length !== 1) return undefined;
  const lines = verifier.trim().split('\n');
  const imports = [...lines.filter(isImport), 'import json', 'import os'].toSorted();
  const functions = lines
    .filter((line) => !isImport(line))
    .join('\n')
    .trim();
  return `"""Receives webhooks. Python 3.9 or later, standard library only."""

${imports.join('\n')}
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRETS = os.environ["WEBHOOK_SECRET"].split()
SEEN = set()  # in production: a table of your database


${functions}


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not is_genuine(body, self.headers.get("${header}", ""), SECRETS):
            return self.answer(401)
        event = json.loads(body)
        key = ${key}
        if key not in SEEN:
            print(event["type"], event["data"], flush=True)  # your work
            SEEN.add(key)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


HTTPServer(("127.0.0.1", 8000), Receiver).serve_forever()
`;
};
