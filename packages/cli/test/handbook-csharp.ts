import { spawnSync } from 'node:child_process';

/** What Mono lacks of .NET 5 and later. A type without a namespace goes before those of `using`. */
const shims = `
static class CryptographicOperations
{
    public static bool FixedTimeEquals(byte[] a, byte[] b) { return System.Linq.Enumerable.SequenceEqual(a, b); }
}
static class Convert
{
    public static string ToHexString(byte[] bytes) { return System.BitConverter.ToString(bytes).Replace("-", ""); }
    public static string ToBase64String(byte[] bytes) { return System.Convert.ToBase64String(bytes); }
    public static byte[] FromBase64String(string text) { return System.Convert.FromBase64String(text); }
    public static byte[] FromHexString(string text)
    {
        var bytes = new byte[text.Length / 2];
        for (var at = 0; at < bytes.Length; at++) bytes[at] = System.Convert.ToByte(text.Substring(2 * at, 2), 16);
        return bytes;
    }
}
${[1, 256, 384, 512]
  .map((size) => {
    const name = `HMACSHA${size}`;
    return `static class ${name}
{
    public static byte[] HashData(byte[] key, byte[] data)
    {
        using (var mac = new System.Security.Cryptography.${name}(key)) return mac.ComputeHash(data);
    }
}`;
  })
  .join('\n')}
`;

const hasCommand = (name: string): boolean => spawnSync('sh', ['-c', 'command -v "$0"', name]).status === 0;
/** Mono runs the code where .NET is missing. It shows what the code decides, not that .NET has what it calls. */
const isMono = !hasCommand('dotnet') && hasCommand('mcs') && hasCommand('mono');

/** A program that prints 1 if the call of a page's code is true, or else 0. */
export const csharpText = (code: string, call: string): string => {
  const lines = code.split('\n');
  const uses = lines.filter((line) => line.startsWith('using '));
  const rest = lines.filter((line) => !line.startsWith('using ')).join('\n');
  const print = `Console.WriteLine(${call} ? 1 : 0);`;
  if (!isMono) return `${uses.join('\n')}\n${print}\n${rest}`;
  // A project of .NET has these without a word.
  const implicit = ['using System;', 'using System.Collections.Generic;', 'using System.Linq;'];
  const all = [...new Set([...implicit, ...uses])].join('\n');
  return `${all}\nstatic class Program { static void Main() { ${print} } }\n${rest}${shims}`;
};

/** Runs `Program.cs`, of which `Program.txt` is a copy: a new project of .NET replaces it. */
export const csharpCommand = isMono
  ? 'mcs -out:Program.exe Program.cs > log && mono Program.exe'
  : 'dotnet new console --output . --force > log && cp Program.txt Program.cs && dotnet run';
export const csharpNeeds = isMono ? 'mcs' : 'dotnet';
