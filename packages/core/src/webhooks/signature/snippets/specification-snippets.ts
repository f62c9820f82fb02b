import type { Snippet } from './snippet.ts';

/**
 * Code that verifies `X-WEBHOOK-SIGNATURE`: by the bytes of the body as they arrived, with every secret that is in use
 * during a rotation, in constant time. @internal
 */
export const specificationSnippets: readonly Snippet[] = [
  {
    language: 'TypeScript',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto';

/** \`body\`: the bytes as they arrived, before any JSON parser. */
export const isGenuine = (body: Uint8Array, signature: string, secrets: readonly string[]): boolean => {
  const offered = Buffer.from(signature);
  return secrets
    .map((secret) => Buffer.from(createHmac('sha1', secret).update(body).digest('hex')))
    .some((expected) => offered.length === expected.length && timingSafeEqual(offered, expected));
};
`,
  },
  {
    language: 'Python',
    code: `import hmac


def is_genuine(body: bytes, signature: str, secrets: list[str]) -> bool:
    """\`body\`: the bytes as they arrived, before any JSON parser."""
    expected = [hmac.digest(secret.encode(), body, "sha1").hex() for secret in secrets]
    return any([hmac.compare_digest(signature.encode(), each.encode()) for each in expected])
`,
  },
  {
    language: 'PHP',
    code: `/** $body: file_get_contents('php://input'), before any JSON parser. */
function isGenuine(string $body, string $signature, array $secrets): bool
{
    $isGenuine = false;
    foreach ($secrets as $secret) {
        $isGenuine = hash_equals(hash_hmac('sha1', $body, $secret), $signature) || $isGenuine;
    }
    return $isGenuine;
}
`,
  },
  {
    language: 'Go',
    code: `import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/hex"
)

// isGenuine verifies the bytes of the body as they arrived, before any JSON parser.
func isGenuine(body []byte, signature string, secrets []string) (genuine bool) {
	for _, secret := range secrets {
		mac := hmac.New(sha1.New, []byte(secret))
		mac.Write(body)
		expected := hex.EncodeToString(mac.Sum(nil))
		genuine = hmac.Equal([]byte(signature), []byte(expected)) || genuine
	}
	return genuine
}
`,
  },
  {
    language: 'Ruby',
    code: `require 'openssl'

# body: request.raw_post, before any JSON parser.
def genuine?(body, signature, secrets)
  secrets.map do |secret|
    OpenSSL.secure_compare(OpenSSL::HMAC.hexdigest('SHA1', secret, body), signature)
  end.any?
end
`,
  },
  {
    language: 'Java',
    code: `import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Webhooks {
    /** The bytes of the body as they arrived, before any JSON parser. */
    static boolean isGenuine(byte[] body, String signature, List<String> secrets) throws GeneralSecurityException {
        byte[] offered = signature.getBytes(StandardCharsets.UTF_8);
        boolean isGenuine = false;
        for (String secret : secrets) {
            Mac mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA1"));
            byte[] expected = HexFormat.of().formatHex(mac.doFinal(body)).getBytes(StandardCharsets.UTF_8);
            isGenuine |= MessageDigest.isEqual(expected, offered);
        }
        return isGenuine;
    }
}
`,
  },
  {
    language: 'C#',
    code: `using System.Security.Cryptography;
using System.Text;

static class Webhooks
{
    /// <summary>The bytes of the body as they arrived, before any JSON parser.</summary>
    public static bool IsGenuine(byte[] body, string signature, IEnumerable<string> secrets)
    {
        var offered = Encoding.UTF8.GetBytes(signature);
        var isGenuine = false;
        foreach (var secret in secrets)
        {
            var digest = HMACSHA1.HashData(Encoding.UTF8.GetBytes(secret), body);
            var expected = Encoding.UTF8.GetBytes(Convert.ToHexString(digest).ToLowerInvariant());
            isGenuine |= CryptographicOperations.FixedTimeEquals(expected, offered);
        }
        return isGenuine;
    }
}
`,
  },
  {
    language: 'Shell',
    code: `# For a trial at your desk: while it runs, other users of the machine see the secret.
is_genuine() { # file of the body, signature, secret
  expected=$(openssl dgst -sha1 -hmac "$3" -r < "$1") || return 1
  [ "$2" = "\${expected%% *}" ]
}
`,
  },
];
