using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

/// <summary>
/// Verifies signed webhooks. Any .NET, standard library only; it has no Ed25519, for which a library such as NSec is
/// needed. A header that is missing is the empty text. A body is the bytes as they arrived; a time is in seconds since
/// 1970.
/// </summary>
static class Verify
{
    const long Tolerance = 5 * 60; // seconds

    /// <summary>X-Hub-Signature-256: sha256=…: the HMAC-SHA-256 of the body, in hex.</summary>
    public static bool IsGithubSigned(string signature, byte[] body, IEnumerable<string> secrets)
    {
        return Fits(new[] { signature }, secrets.Select(secret => "sha256=" + Hex(Digest(Bytes(secret), "", body))));
    }

    /// <summary>Stripe-Signature: t=…,v1=…: the time, and the HMAC-SHA-256 of time and body, in hex.</summary>
    public static bool IsStripeSigned(string signature, byte[] body, IEnumerable<string> secrets, long now)
    {
        var at = signature.Split(',')[0].Replace("t=", "");
        var expected = secrets.Select(secret => "t=" + at + ",v1=" + Hex(Digest(Bytes(secret), at + ".", body)));
        return IsTimely(at, now) && Fits(new[] { signature }, expected);
    }

    /// <summary>Standard Webhooks: v1 in the list of signatures, the HMAC-SHA-256 of id, time and body, in Base64.</summary>
    public static bool IsStandardSigned(
        string id, string at, string signatures, byte[] body, IEnumerable<string> secrets, long now)
    {
        // A server may join a header that comes twice with a comma; a list of signatures has blanks only.
        if (id == "" || signatures.Contains(", ") || !IsTimely(at, now)) return false;
        var expected = secrets
            .Where(secret => secret.StartsWith("whsec_", StringComparison.Ordinal))
            .Select(secret => Convert.FromBase64String(secret.Substring(6)))
            .Where(key => key.Length > 0) // with an empty key anyone could sign
            .Select(key => "v1," + Convert.ToBase64String(Digest(key, id + "." + at + ".", body)));
        return Fits(signatures.Split(' ').Take(16), expected);
    }

    static byte[] Digest(byte[] key, string before, byte[] body)
    {
        using (var hmac = new HMACSHA256(key)) return hmac.ComputeHash(Bytes(before).Concat(body).ToArray());
    }

    /// <summary>Whether one of several fits; all are compared, in constant time.</summary>
    static bool Fits(IEnumerable<string> offered, IEnumerable<string> expected)
    {
        var fits = false;
        foreach (var other in expected)
            foreach (var one in offered) fits |= IsEqual(Bytes(one), Bytes(other));
        return fits;
    }

    /// <summary>As CryptographicOperations.FixedTimeEquals, which .NET Framework does not have.</summary>
    static bool IsEqual(byte[] one, byte[] other)
    {
        var difference = one.Length ^ other.Length;
        for (var place = 0; place < one.Length && place < other.Length; place++) difference |= one[place] ^ other[place];
        return difference == 0;
    }

    static bool IsTimely(string at, long now)
    {
        return Regex.IsMatch(at, @"\A(0|[1-9][0-9]{0,11})\z")
            && Math.Abs(long.Parse(at, CultureInfo.InvariantCulture) - now) <= Tolerance;
    }

    static byte[] Bytes(string text)
    {
        return Encoding.UTF8.GetBytes(text);
    }

    static string Hex(byte[] bytes)
    {
        return BitConverter.ToString(bytes).Replace("-", "").ToLowerInvariant();
    }
}
