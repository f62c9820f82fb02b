import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { csharpCommand, csharpNeeds, csharpText } from './handbook-csharp.ts';

/** A request that a program judges. */
export interface Question {
  /** The values of the signature's headers, in their order. */
  readonly headers: readonly string[];
  readonly body: string;
  readonly secret: string;
  /** Seconds since 1970; absent: the signature has no time. */
  readonly now?: number;
}

interface Program {
  readonly file: string;
  /** The code of a page with a call of its function, which prints 1 or 0. */
  readonly text: (code: string, question: Question) => string;
  /** Runs in the folder of the file. */
  readonly command: string;
  /** What this machine must have. */
  readonly needs: string;
}

const hexOf = (text: string): string => Buffer.from(text).toString('hex');
const quoted = (text: string): string => `'${text}'`;
const list = (texts: readonly string[]): string => texts.map((text) => JSON.stringify(text)).join(', ');
/** The time as a last argument, where there is one. */
const last = ({ now }: Question): string => (now === undefined ? '' : `, ${now}`);
/** The arguments before and behind the body: with one header, it follows the body. */
const around = ({ headers, now }: Question): readonly [before: string, after: string] =>
  now === undefined ? ['', `, ${list(headers)}`] : [`${list(headers)}, `, ''];

/** A program around the code of a page, by language. */
export const programs: Readonly<Record<string, Program>> = {
  TypeScript: {
    file: 'verify.ts',
    text: (code, question) => {
      const body = `Buffer.from('${hexOf(question.body)}', 'hex')`;
      const [first, second] =
        question.now === undefined ? [body, list(question.headers)] : [`[${list(question.headers)}]`, body];
      return `${code}\nconsole.log(Number(isGenuine(${first}, ${second}, ['${question.secret}']${last(question)})));\n`;
    },
    command: `${quoted(process.execPath)} --no-warnings --experimental-strip-types verify.ts`,
    needs: process.execPath,
  },
  Python: {
    file: 'verify.py',
    text: (code, question) => {
      const [before, after] = around(question);
      const body = `bytes.fromhex("${hexOf(question.body)}")`;
      return `${code}\nprint(int(is_genuine(${before}${body}${after}, ["${question.secret}"]${last(question)})))\n`;
    },
    command: 'python3 verify.py',
    needs: 'python3',
  },
  PHP: {
    file: 'verify.php',
    text: (code, question) => {
      const [before, after] = around(question);
      const body = `hex2bin('${hexOf(question.body)}')`;
      return `<?php\n${code}\necho (int) isGenuine(${before}${body}${after}, ['${question.secret}']${last(question)});\n`;
    },
    command: 'php verify.php',
    needs: 'php',
  },
  Go: {
    file: 'verify.go',
    text: (code, question) => {
      const [before, after] = around(question);
      const body = `[]byte(${JSON.stringify(question.body)})`;
      const call = `isGenuine(${before}${body}${after}, []string{"${question.secret}"}${last(question)})`;
      return `package main\n\nimport "fmt"\n\n${code}\nfunc main() {\n\tif ${call} {\n\t\tfmt.Println(1)\n\t} else {\n\t\tfmt.Println(0)\n\t}\n}\n`;
    },
    command: 'go run verify.go',
    needs: 'go',
  },
  Ruby: {
    file: 'verify.rb',
    text: (code, question) => {
      const [before, after] = around(question);
      const body = `['${hexOf(question.body)}'].pack('H*')`;
      return `${code}\nputs genuine?(${before}${body}${after}, ['${question.secret}']${last(question)}) ? 1 : 0\n`;
    },
    command: 'ruby verify.rb',
    needs: 'ruby',
  },
  Java: {
    file: 'Verify.java',
    text: (code, question) => {
      const [before, after] = around(question);
      const body = `java.util.HexFormat.of().parseHex("${hexOf(question.body)}")`;
      const call = `isGenuine(${before}${body}${after}, List.of("${question.secret}")${last(question)})`;
      const main = `public static void main(String[] none) throws Exception { System.out.println(${call} ? 1 : 0); }`;
      return code.replace('class Webhooks {', `class Webhooks {\n    ${main}`);
    },
    command: 'java Verify.java',
    needs: 'java',
  },
  'C#': {
    file: 'Program.cs',
    text: (code, question) => {
      const [before, after] = around(question);
      const body = `Convert.FromHexString("${hexOf(question.body)}")`;
      const call = `Webhooks.IsGenuine(${before}${body}${after}, new[] { "${question.secret}" }${last(question)})`;
      return csharpText(code, call);
    },
    command: csharpCommand,
    needs: csharpNeeds,
  },
  Shell: {
    file: 'verify.sh',
    text: (code, { headers, body, secret, now }) => {
      const values = headers.map(quoted).join(' ');
      const call =
        now === undefined
          ? `is_genuine body ${values} ${quoted(secret)}`
          : `is_genuine ${values} body ${quoted(secret)} ${now}`;
      const file = `printf '%b' '${hexOf(body).replace(/../g, '\\x$&')}' > body`;
      return `${code}\n${file}\n${call} && echo 1 || echo 0\n`;
    },
    command: 'bash verify.sh',
    needs: 'bash',
  },
};

/** What the code of a page answers; `undefined`: its language is not on this machine. */
export const judge = (language: string, code: string, question: Question): boolean | undefined => {
  const program = programs[language];
  if (!program) throw new TypeError(`There is no program in ${language}.`);
  if (spawnSync('sh', ['-c', 'command -v "$0"', program.needs]).status !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-handbook-'));
  const text = program.text(code, question);
  writeFileSync(join(folder, program.file), text);
  // A new project replaces the program.
  if (language === 'C#') writeFileSync(join(folder, 'Program.txt'), text);
  const { stdout, stderr } = spawnSync('sh', ['-c', program.command], { cwd: folder, encoding: 'utf8' });
  if (!/^[01]\n?$/.test(stdout)) throw new Error(`${language}: ${stdout}${stderr}`.slice(0, 2_000));
  return stdout.startsWith('1');
};
