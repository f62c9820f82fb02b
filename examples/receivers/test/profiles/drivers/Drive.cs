using System;
using System.Linq;
using System.Text;

/// <summary>See drive.py.</summary>
static class Drive
{
    static void Main()
    {
        for (var line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            var parts = line.Split(',');
            var now = long.Parse(parts[1]);
            var keys = parts[2].Split('.').Select(TextOf).ToArray();
            var body = BytesOf(parts[4]);
            var headers = parts.Skip(5).Select(TextOf).ToArray();
            var isGenuine = parts[0] == "github" ? Verify.IsGithubSigned(headers[0], body, keys)
                : parts[0] == "stripe" ? Verify.IsStripeSigned(headers[0], body, keys, now)
                : Verify.IsStandardSigned(headers[0], headers[1], headers[2], body, keys, now);
            Console.WriteLine(isGenuine ? 1 : 0);
        }
    }

    static byte[] BytesOf(string hex)
    {
        return Enumerable.Range(0, hex.Length / 2).Select(at => Convert.ToByte(hex.Substring(2 * at, 2), 16)).ToArray();
    }

    static string TextOf(string hex)
    {
        return Encoding.UTF8.GetString(BytesOf(hex));
    }
}
