import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const cache = fileURLToPath(new URL('../../../../node_modules/.cache/', import.meta.url));

/** A browser, and the environment that it needs. */
interface Executable {
  readonly executablePath: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The fonts of the machine, and those of the npm package for a machine without any. */
const fontsIn = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`;

/** Unpacks the browser of the npm package once, whoever else does so at the same time. */
const unpacked = (): Executable => {
  const library = dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'));
  const { version } = JSON.parse(readFileSync(join(library, '../package.json'), 'utf8'));
  const folder = join(cache, `chromium-${version}`);
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true });
    const own = mkdtempSync(`${folder}-`);
    const script = "import('@sparticuz/chromium').then(({ default: { executablePath } }) => executablePath())";
    // The package unpacks into the folder for temporary files, and takes a half-written browser there for its own.
    const { status, stderr } = spawnSync(process.execPath, ['-e', script], {
      cwd: library,
      // As on Amazon Linux: it then unpacks libraries that a small Linux lacks.
      env: { ...process.env, TMPDIR: own, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`Chromium cannot be unpacked: ${stderr}`);
    writeFileSync(join(own, 'fonts.conf'), fontsIn(folder));
    try {
      renameSync(own, folder);
    } catch (cause) {
      if (!existsSync(folder)) throw cause;
      rmSync(own, { recursive: true });
    }
  }
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
  };
  return { executablePath: join(folder, 'chromium'), env };
};

/** `CHROMIUM_PATH`; else the browser of the npm package, which is built for Linux x64; else an installed one. */
const find = (): Executable | undefined => {
  const { CHROMIUM_PATH: named } = process.env;
  if (named === undefined && process.platform === 'linux' && process.arch === 'x64') return unpacked();
  const executablePath = named ?? installed.find((path) => existsSync(path));
  return executablePath === undefined ? undefined : { executablePath };
};

/** The browser of the tests. Without one, they are skipped. */
export const executable = find();
if (executable === undefined)
  console.warn('No Chromium: tests in a browser are skipped. Install one, and set CHROMIUM_PATH to its path.');
