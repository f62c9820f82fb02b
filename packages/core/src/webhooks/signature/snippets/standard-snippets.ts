import type { Snippet } from './snippet.ts';

/**
 * Code that verifies Standard Webhooks: each of the signatures that are sent, with every secret that is in use during a
 * rotation, in constant time, and only at about the time of the attempt.
 */
export const standardSnippets: readonly Snippet[] = [
  {
    language: 'TypeScript',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto';

/** The three headers, the bytes of the body as they arrived, and the time in seconds since 1970. */
export const isGenuine = (
  [id, at, signatures]: readonly [id: string, at: string, signatures: string],
  body: Uint8Array,
  secrets: readonly string[],
  now: number,
): boolean => {
  if (id === '' || signatures.includes(', ') || !/^(0|[1-9]\\d{0,11})$/.test(at)) return false;
  if (Math.abs(Number(at) - now) > 300) return false;
  const keys = secrets.filter((each) => each.startsWith('whsec_')).map((each) => Buffer.from(each.slice(6), 'base64'));
  const expected = keys
    .filter((key) => key.length > 0) // with an empty key anyone could sign
    .map((key) => createHmac('sha256', key).update(\`\${id}.\${at}.\`).update(body).digest('base64'))
    .map((digest) => Buffer.from(\`v1,\${digest}\`));
  const offered = signatures.split(' ').slice(0, 16).map((each) => Buffer.from(each));
  return offered.some((one) => expected.some((other) => one.length === other.length && timingSafeEqual(one, other)));
};
`,
  },
  {
    language: 'Python',
    code: `import base64
import hmac
import re


def is_genuine(message_id: str, at: str, signatures: str, body: bytes, secrets: list[str], now: float) -> bool:
    """The three headers, the bytes of the body as they arrived, and the time in seconds since 1970."""
    if message_id == "" or ", " in signatures or not re.fullmatch("0|[1-9][0-9]{0,11}", at):
        return False
    keys = [base64.b64decode(secret[6:]) for secret in secrets if secret.startswith("whsec_")]
    message = f"{message_id}.{at}.".encode() + body
    # With an empty key anyone could sign.
    digests = [hmac.digest(key, message, "sha256") for key in keys if key]
    expected = [b"v1," + base64.b64encode(digest) for digest in digests]
    offered = [each.encode() for each in signatures.split(" ")[:16]]
    fits = any([hmac.compare_digest(one, other) for one in offered for other in expected])
    return fits and abs(int(at) - now) <= 300
`,
  },
  {
    language: 'PHP',
    code: `/** The three headers, $body: file_get_contents('php://input'), and the time in seconds since 1970. */
function isGenuine(string $id, string $at, string $signatures, string $body, array $secrets, int $now): bool
{
    $isTimely = preg_match('/^(0|[1-9][0-9]{0,11})$/D', $at) && abs((int) $at - $now) <= 300;
    if ($id === '' || !$isTimely || str_contains($signatures, ', ')) {
        return false;
    }
    $isGenuine = false;
    foreach ($secrets as $secret) {
        $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6)) : '';
        if ($key === '') { // with an empty key anyone could sign
            continue;
        }
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$at.$body", $key, true));
        foreach (array_slice(explode(' ', $signatures), 0, 16) as $offered) {
            $isGenuine = hash_equals($expected, $offered) || $isGenuine;
        }
    }
    return $isGenuine;
}
`,
  },
  {
    language: 'Go',
    code: `import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
)

// isGenuine takes the three headers, the bytes of the body as they arrived, and the time in seconds since 1970.
func isGenuine(id, at, signatures string, body []byte, secrets []string, now int64) (genuine bool) {
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || strconv.FormatInt(seconds, 10) != at || now-seconds > 300 || seconds-now > 300 {
		return false
	}
	if id == "" || strings.Contains(signatures, ", ") {
		return false
	}
	offered := strings.Split(signatures, " ")
	if len(offered) > 16 {
		offered = offered[:16]
	}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 || !strings.HasPrefix(secret, "whsec_") { // with an empty key anyone could sign
			continue
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + at + "."))
		mac.Write(body)
		expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		for _, one := range offered {
			genuine = hmac.Equal([]byte(one), []byte(expected)) || genuine
		}
	}
	return genuine
}
`,
  },
  {
    language: 'Ruby',
    code: `require 'openssl'

# The three headers, body: request.raw_post, and the time in seconds since 1970.
def genuine?(id, at, signatures, body, secrets, now)
  return false if id.empty? || signatures.include?(', ') || !at.match?(/\\A(0|[1-9][0-9]{0,11})\\z/)
  return false if (at.to_i - now).abs > 300

  keys = secrets.select { |secret| secret.start_with?('whsec_') }.map { |secret| secret[6..].unpack1('m') }
  # With an empty key anyone could sign.
  expected = keys.reject(&:empty?).map do |key|
    "v1,#{[OpenSSL::HMAC.digest('SHA256', key, "#{id}.#{at}.".b + body)].pack('m0')}"
  end
  signatures.split.take(16).product(expected).map { |one, other| OpenSSL.secure_compare(one, other) }.any?
end
`,
  },
  {
    language: 'Java',
    code: `import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Webhooks {
    /** The three headers, the bytes of the body as they arrived, and the time in seconds since 1970. */
    static boolean isGenuine(String id, String at, String signatures, byte[] body, List<String> secrets, long now)
            throws GeneralSecurityException {
        if (id.isEmpty() || signatures.contains(", ") || !at.matches("0|[1-9][0-9]{0,11}")) return false;
        if (Math.abs(Long.parseLong(at) - now) > 300) return false;
        List<String> offered = Arrays.stream(signatures.split(" ")).limit(16).toList();
        boolean isGenuine = false;
        for (String secret : secrets) {
            byte[] key = secret.startsWith("whsec_") ? Base64.getDecoder().decode(secret.substring(6)) : new byte[0];
            if (key.length == 0) continue; // with an empty key anyone could sign
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update(bytes(id + "." + at + "."));
            String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
            for (String one : offered) isGenuine |= MessageDigest.isEqual(bytes(expected), bytes(one));
        }
        return isGenuine;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
`,
  },
  {
    language: 'C#',
    code: `using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

static class Webhooks
{
    /// <summary>The three headers, the bytes of the body as they arrived, the time in seconds since 1970.</summary>
    public static bool IsGenuine(
        string id, string at, string signatures, byte[] body, IEnumerable<string> secrets, long now)
    {
        if (id == "" || signatures.Contains(", ") || !Regex.IsMatch(at, @"\\A(0|[1-9][0-9]{0,11})\\z")) return false;
        if (Math.Abs(long.Parse(at) - now) > 300) return false;
        var isGenuine = false;
        foreach (var secret in secrets)
        {
            var key = secret.StartsWith("whsec_") ? Convert.FromBase64String(secret.Substring(6)) : new byte[0];
            if (key.Length == 0) continue; // with an empty key anyone could sign
            var message = Encoding.UTF8.GetBytes(id + "." + at + ".").Concat(body).ToArray();
            var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(HMACSHA256.HashData(key, message)));
            foreach (var one in signatures.Split(' ').Take(16))
                isGenuine |= CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(one), expected);
        }
        return isGenuine;
    }
}
`,
  },
  {
    language: 'Shell',
    code: `# For a trial at your desk: while it runs, other users of the machine see the secret.
is_genuine() { # id, time, signatures, file of the body, secret, time of the clock
  case $2 in '' | 0?* | *[!0-9]* | ?????????????*) return 1 ;; esac
  age=$(($6 - $2))
  [ -n "$1" ] && [ "\${age#-}" -le 300 ] || return 1
  key=$(printf '%s' "\${5#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
  [ -n "$key" ] && [ "$5" != "\${5#whsec_}" ] || return 1 # with an empty key anyone could sign
  expected=$({ printf '%s.%s.' "$1" "$2"; cat "$4"; } |
    openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A) || return 1
  case " $3 " in *", "*) return 1 ;; *" v1,$expected "*) return 0 ;; esac
  return 1
}
`,
  },
];
