import { verifySnippetsOf } from '@partnerkit/core/adapter';
import type { SignatureScheme } from '@partnerkit/core/wire';
import type { Platform } from './platform.ts';
import type { Texts } from './texts/texts.ts';

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
export const receiverOf = (
  scheme: SignatureScheme,
  { envelope }: Platform,
  { t, commented }: Texts,
): string | undefined => {
  const verifier = verifySnippetsOf(scheme).find(({ language }) => language === 'Python')?.code;
  const key = keys[envelope];
  const [header] = Object.keys(scheme.documents);
  if (verifier === undefined || key === undefined || scheme.headers.length !== 1) return undefined;
  const lines = commented(verifier).trim().split('\n');
  const modules = ['json', 'os', 'sqlite3', 'threading'].map((name) => `import ${name}`);
  const imports = [...lines.filter(isImport), ...modules].toSorted();
  const functions = lines
    .filter((line) => !isImport(line))
    .join('\n')
    .trim();
  return `"""${t('receiver.doc')}"""

${imports.join('\n')}
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRETS = os.environ["WEBHOOK_SECRET"].split()
LOCK = threading.Lock()
STORE = sqlite3.connect("webhooks.db", check_same_thread=False)  # ${t('receiver.production')}
STORE.execute("CREATE TABLE IF NOT EXISTS seen (key TEXT PRIMARY KEY)")
STORE.execute("CREATE TABLE IF NOT EXISTS newest (id TEXT PRIMARY KEY, at NOT NULL)")
SEEN = "INSERT OR IGNORE INTO seen VALUES (?)"
NEWEST = """INSERT INTO newest VALUES (?, ?) ON CONFLICT (id)
    DO UPDATE SET at = excluded.at WHERE excluded.at > newest.at"""


def process(event, is_newest):
    """${t('receiver.work')}"""
    print(event["type"], event["data"], flush=True)


${functions}


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not is_genuine(body, self.headers.get("${header}", ""), SECRETS):
            return self.answer(401)
        event = json.loads(body)
        key = json.dumps(${key})
        with LOCK, STORE:  # ${t('receiver.transaction')}
            if STORE.execute(SEEN, (key,)).rowcount > 0:
                newest = STORE.execute(NEWEST, (event["data"]["id"], event["timestamp"]))
                process(event, newest.rowcount > 0)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", 8000), Receiver).serve_forever()
`;
};
