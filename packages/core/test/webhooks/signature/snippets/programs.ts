import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { specificationSnippets } from '../../../../src/webhooks/signature/snippets/verify-snippets.ts';

interface Vector {
  readonly name: string;
  readonly secret: string;
  readonly body: string;
  readonly signature: string;
}

const file = new URL('../../../vectors/signature-vectors.json', import.meta.url);
/** Bodies with the signatures that Python's hmac computed. */
const vectors: readonly Vector[] = JSON.parse(readFileSync(file, 'utf8')).cases;

const flip = (signature: string): string => (signature.startsWith('0') ? '1' : '0') + signature.slice(1);

/** What each language is asked: each vector as it is, and changed in one place. */
export const questions = vectors.flatMap(({ secret, body, signature }) => [
  { isGenuine: true, body, signature, secrets: [secret] },
  { isGenuine: true, body, signature, secrets: ['another', secret] },
  { isGenuine: false, body: `${body} `, signature, secrets: [secret] },
  { isGenuine: false, body, signature: flip(signature), secrets: [secret] },
  { isGenuine: false, body, signature: signature.toUpperCase(), secrets: [secret] },
  { isGenuine: false, body, signature: '', secrets: [secret] },
  { isGenuine: false, body, signature, secrets: [`${secret}x`] },
]);

const codeOf = (language: string): string => {
  const found = specificationSnippets().find((each) => each.language === language);
  if (!found) throw new TypeError(`There is no code in ${language}.`);
  return found.code;
};

/** A program around the code of a language: it reads lines of hex (body, signature, secrets) and prints 1 or 0. */
interface Program {
  readonly name: string;
  readonly text: string;
  readonly command: readonly string[];
}

const programs: Readonly<Record<string, Program>> = {
  TypeScript: {
    name: 'verify.ts',
    text: `${codeOf('TypeScript')}
import { readFileSync } from 'node:fs';
for (const line of readFileSync(0, 'utf8').split('\\n')) {
  const [body, signature, ...secrets] = line.split(',').map((hex) => Buffer.from(hex, 'hex'));
  if (body && signature) console.log(Number(isGenuine(body, signature.toString(), secrets.map(String))));
}
`,
    command: [process.execPath, 'verify.ts'],
  },
  Python: {
    name: 'verify.py',
    text: `${codeOf('Python')}

import sys

for line in sys.stdin.read().split("\\n"):
    body, signature, *secrets = [bytes.fromhex(part) for part in line.split(",")]
    print(int(is_genuine(body, signature.decode(), [secret.decode() for secret in secrets])))
`,
    command: ['python3', 'verify.py'],
  },
  Java: {
    name: 'Verify.java',
    text: `${codeOf('Java').replace('class Webhooks {', 'class Webhooks {\n    public static void main(String[] none) throws Exception { Verify.run(); }')}
class Verify {
    static void run() throws Exception {
        for (String line : new String(System.in.readAllBytes(), StandardCharsets.UTF_8).split("\\n")) {
            String[] parts = line.split(",", -1);
            List<String> secrets = new java.util.ArrayList<>();
            for (int at = 2; at < parts.length; at++) secrets.add(textOf(parts[at]));
            boolean isGenuine = Webhooks.isGenuine(HexFormat.of().parseHex(parts[0]), textOf(parts[1]), secrets);
            System.out.println(isGenuine ? 1 : 0);
        }
    }
    static String textOf(String hex) {
        return new String(HexFormat.of().parseHex(hex), StandardCharsets.UTF_8);
    }
}
`,
    command: ['java', 'Verify.java'],
  },
  Shell: {
    name: 'verify.sh',
    text: `${codeOf('Shell')}
text_of() { printf '%b' "$(printf '%s' "$1" | sed 's/../\\\\x&/g')"; }
while IFS=, read -r body signature secret other || [ -n "$body$signature" ]; do
  text_of "$body" > body
  is_genuine body "$(text_of "$signature")" "$(text_of "$secret")" && first=1 || first=0
  [ -n "$other" ] && is_genuine body "$(text_of "$signature")" "$(text_of "$other")" && first=1
  echo "$first"
done
`,
    command: ['bash', 'verify.sh'],
  },
};

const hexOf = (text: string): string => Buffer.from(text).toString('hex');

/** What the code of a language answers to the questions; `undefined`: the language is not on this machine. */
export const answersOf = (language: string): readonly boolean[] | undefined => {
  const program = programs[language];
  if (!program) throw new TypeError(`There is no program in ${language}.`);
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-verify-'));
  writeFileSync(join(folder, program.name), program.text);
  const input = questions
    .map(({ body, signature, secrets }) => [body, signature, ...secrets].map(hexOf).join(','))
    .join('\n');
  const [command = '', ...args] = program.command;
  const { error, status, stdout, stderr } = spawnSync(command, args, { cwd: folder, input, encoding: 'utf8' });
  if (error && 'code' in error && error.code === 'ENOENT') return undefined;
  if (status !== 0) throw new Error(`${language}: ${stderr.slice(0, 2_000)}`);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line === '1');
};
