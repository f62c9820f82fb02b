import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Form = 'github' | 'stripe' | 'standard' | 'ed25519';

interface Vector {
  readonly form: Form;
  readonly name: string;
  readonly genuine: boolean;
  /** The time of the receiver, in seconds since 1970. */
  readonly now: number;
  /** Webhook secrets; of Ed25519 the `x` of public keys. */
  readonly keys: readonly string[];
  /** The ids of the endpoints of the receiver; an HMAC names it by its secret. */
  readonly endpoints: readonly string[];
  readonly body: string;
  /** The headers of the signature in the order of the parameters. */
  readonly headers: Readonly<Record<string, string>>;
}

const file = new URL('../../profiles/vectors.json', import.meta.url);
export const profileVectors: readonly Vector[] = JSON.parse(readFileSync(file, 'utf8'));

/** Code that verifies the signatures of profiles, in one language. */
export interface Language {
  readonly name: string;
  /** Commands that this machine must have. */
  readonly needs: readonly string[];
  /** Runs its driver. `$PROFILES` has the code, `$DRIVERS` the driver, and the current folder is empty. */
  readonly run: string;
  /** Whether it can verify a vector. @defaultValue every one */
  readonly isFor?: (vector: Vector) => boolean;
}

let isInstalled: boolean | undefined;
const hasCryptography = (): boolean => {
  isInstalled ??= spawnSync('python3', ['-c', 'import cryptography']).status === 0;
  return isInstalled;
};

export const languages: readonly Language[] = [
  {
    name: 'Python',
    needs: ['python3'],
    run: 'PYTHONPATH="$PROFILES" exec python3 -B "$DRIVERS/drive.py"',
    // Its standard library has no Ed25519.
    isFor: ({ form }) => form !== 'ed25519' || hasCryptography(),
  },
  { name: 'PHP', needs: ['php'], run: 'exec php "$DRIVERS/drive.php" "$PROFILES/verify.php"' },
  { name: 'Ruby', needs: ['ruby'], run: 'exec ruby "$DRIVERS/drive.rb" "$PROFILES/verify.rb"' },
  {
    name: 'Go',
    needs: ['go'],
    run: `mkdir webhooks && cp "$PROFILES/verify.go" webhooks && cp "$DRIVERS/drive.go" . &&
      printf 'module driver\\n\\ngo 1.19\\n' > go.mod && go vet ./... && exec go run .`,
  },
  {
    name: 'Java',
    needs: ['javac', 'java'],
    run: `javac -encoding UTF-8 -Xlint:all -Werror -d . "$PROFILES/Verify.java" "$DRIVERS/Drive.java" &&
      exec java -cp . Drive`,
  },
  {
    name: 'C#',
    needs: ['mcs', 'mono'],
    run: 'mcs -warnaserror -out:drive.exe "$PROFILES/Verify.cs" "$DRIVERS/Drive.cs" && exec mono drive.exe',
    // .NET has no Ed25519.
    isFor: ({ form }) => form !== 'ed25519',
  },
  {
    name: 'Shell',
    needs: ['openssl'],
    run: 'exec bash "$DRIVERS/drive.sh" "$PROFILES/verify.sh"',
    // Its secrets are separated by blanks.
    isFor: ({ keys }) => !keys.some((key) => key.includes(' ')),
  },
];

const hexOf = (text: string): string => Buffer.from(text).toString('hex');
const hexesOf = (texts: readonly string[]): string => texts.map(hexOf).join('.');
const lineOf = ({ form, now, keys, endpoints, body, headers }: Vector): string =>
  [form, now, hexesOf(keys), hexesOf(endpoints), hexOf(body), ...Object.values(headers).map(hexOf)].join(',');
const pathOf = (folder: string): string => fileURLToPath(new URL(folder, import.meta.url));

/** Whether a language takes each vector for genuine. */
export const answersOf = async ({ name, run }: Language, vectors: readonly Vector[]): Promise<readonly boolean[]> => {
  const cwd = await mkdtemp(join(tmpdir(), 'partnerkit-profiles-'));
  const places = { PROFILES: pathOf('../../profiles'), DRIVERS: pathOf('drivers') };
  try {
    const input = vectors.map((vector) => `${lineOf(vector)}\n`).join('');
    const options = { cwd, input, encoding: 'utf8', env: { ...process.env, ...places } } as const;
    const { status, stdout, stderr } = spawnSync('sh', ['-c', run], options);
    if (status !== 0) throw new Error(`${name}: ${stderr}`);
    return stdout
      .trim()
      .split('\n')
      .map((line) => line === '1');
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
};
