import type { BodyHmac } from '../signature-scheme.ts';
import type { Snippet } from './snippet.ts';

/** A text in quotes that is joined to what follows; nothing for an empty one. */
const before = (text: string, quote: string, join: string): string =>
  text === '' ? '' : `${quote}${text}${quote}${join}`;

const capitals = (algorithm: BodyHmac['algorithm']): string => algorithm.toUpperCase();

/** The package and the constructor of each hash in Go. */
const goPackages: Readonly<Record<BodyHmac['algorithm'], readonly [name: string, constructor: string]>> = {
  sha1: ['sha1', 'New'],
  sha256: ['sha256', 'New'],
  sha384: ['sha512', 'New384'],
  sha512: ['sha512', 'New'],
};

/**
 * Code that verifies the HMAC of a body in lower-case hex: by the bytes of the body as they arrived, with every secret
 * that is in use during a rotation, in constant time.
 */
export const bodySnippets = ({ algorithm, prefix }: BodyHmac): readonly Snippet[] => [
  {
    language: 'TypeScript',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto';

/** \`body\`: the bytes as they arrived, before any JSON parser. */
export const isGenuine = (body: Uint8Array, signature: string, secrets: readonly string[]): boolean => {
  const offered = Buffer.from(signature);
  return secrets
    .map((secret) => Buffer.from(${before(prefix, "'", ' + ')}createHmac('${algorithm}', secret).update(body).digest('hex')))
    .some((expected) => offered.length === expected.length && timingSafeEqual(offered, expected));
};
`,
  },
  {
    language: 'Python',
    code: `import hmac


def is_genuine(body: bytes, signature: str, secrets: list[str]) -> bool:
    """\`body\`: the bytes as they arrived, before any JSON parser."""
    expected = [${before(prefix, '"', ' + ')}hmac.digest(secret.encode(), body, "${algorithm}").hex() for secret in secrets]
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
        $isGenuine = hash_equals(${before(prefix, "'", ' . ')}hash_hmac('${algorithm}', $body, $secret), $signature) || $isGenuine;
    }
    return $isGenuine;
}
`,
  },
  {
    language: 'Go',
    code: `import (
	"crypto/hmac"
	"crypto/${goPackages[algorithm][0]}"
	"encoding/hex"
)

// isGenuine verifies the bytes of the body as they arrived, before any JSON parser.
func isGenuine(body []byte, signature string, secrets []string) (genuine bool) {
	for _, secret := range secrets {
		mac := hmac.New(${goPackages[algorithm].join('.')}, []byte(secret))
		mac.Write(body)
		expected := ${before(prefix, '"', ' + ')}hex.EncodeToString(mac.Sum(nil))
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
    OpenSSL.secure_compare(${before(prefix, "'", ' + ')}OpenSSL::HMAC.hexdigest('${capitals(algorithm)}', secret, body), signature)
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
            Mac mac = Mac.getInstance("Hmac${capitals(algorithm)}");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "Hmac${capitals(algorithm)}"));
            String expected = ${before(prefix, '"', ' + ')}HexFormat.of().formatHex(mac.doFinal(body));
            isGenuine |= MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), offered);
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
            var digest = HMAC${capitals(algorithm)}.HashData(Encoding.UTF8.GetBytes(secret), body);
            var expected = Encoding.UTF8.GetBytes(${before(prefix, '"', ' + ')}Convert.ToHexString(digest).ToLowerInvariant());
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
  expected=$(openssl dgst -${algorithm} -hmac "$3" -r < "$1") || return 1
  [ "$2" = "${prefix}\${expected%% *}" ]
}
`,
  },
];
