import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Verifies signed webhooks. Java 17 or later, standard library only.
 *
 * A header that is missing is the empty text. A body is the bytes as they arrived; a time is in seconds since 1970.
 */
final class Verify {
    private static final long TOLERANCE = 5 * 60; // seconds

    /** {@code X-Hub-Signature-256: sha256=…}: the HMAC-SHA-256 of the body, in hex. */
    static boolean isGithubSigned(String signature, byte[] body, List<String> secrets) throws GeneralSecurityException {
        List<String> expected = new ArrayList<>();
        for (String secret : secrets) expected.add("sha256=" + hex(digest(bytes(secret), "", body)));
        return fits(List.of(signature), expected);
    }

    /** {@code Stripe-Signature: t=…,v1=…}: the time, and the HMAC-SHA-256 of time and body, in hex. */
    static boolean isStripeSigned(String signature, byte[] body, List<String> secrets, long now)
            throws GeneralSecurityException {
        String at = signature.replaceFirst("^t=", "").split(",", 2)[0];
        List<String> expected = new ArrayList<>();
        for (String secret : secrets) expected.add("t=" + at + ",v1=" + hex(digest(bytes(secret), at + ".", body)));
        return isTimely(at, now) && fits(List.of(signature), expected);
    }

    /** Standard Webhooks: {@code v1} in the list of signatures, the HMAC-SHA-256 of id, time and body, in Base64. */
    static boolean isStandardSigned(
            String id, String at, String signatures, byte[] body, List<String> secrets, long now)
            throws GeneralSecurityException {
        List<String> expected = new ArrayList<>();
        for (String secret : secrets) {
            byte[] key = secret.startsWith("whsec_") ? Base64.getDecoder().decode(secret.substring(6)) : new byte[0];
            if (key.length == 0) continue; // with an empty key anyone could sign
            expected.add("v1," + Base64.getEncoder().encodeToString(digest(key, id + "." + at + ".", body)));
        }
        return isAddressed(id, at, signatures, now) && fits(list(signatures), expected);
    }

    /**
     * The same with {@code v1a}: signatures of Ed25519. A public key is the x of /.well-known/webhook-keys.json.
     * One key signs for all partners: the id must end with the id of one of your endpoints.
     */
    static boolean isEd25519Signed(
            String id, String at, String signatures, byte[] body, List<String> publicKeys, List<String> endpoints,
            long now)
            throws GeneralSecurityException {
        boolean isOurs = endpoints.stream().anyMatch(endpoint -> id.endsWith("_" + endpoint));
        if (!isOurs || !isAddressed(id, at, signatures, now)) return false;
        byte[] head = HexFormat.of().parseHex("302a300506032b6570032100"); // RFC 8410
        for (String offered : list(signatures)) {
            byte[] signature = signature(offered);
            for (String key : publicKeys) {
                byte[] encoded = join(head, Base64.getUrlDecoder().decode(key));
                Signature verifier = Signature.getInstance("Ed25519");
                verifier.initVerify(KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded)));
                verifier.update(join(bytes(id + "." + at + "."), body));
                try { // Java 17 ignores bytes behind the 64
                    if (signature.length == 64 && verifier.verify(signature)) return true;
                } catch (SignatureException malformed) {
                    // It is no signature of any key.
                }
            }
        }
        return false;
    }

    /** The bytes, or none. Base64 of Java takes a text without padding too. */
    private static byte[] signature(String offered) {
        try {
            return offered.matches("v1a,.{88}") ? Base64.getDecoder().decode(offered.substring(4)) : new byte[0];
        } catch (IllegalArgumentException noBase64) {
            return new byte[0];
        }
    }

    private static byte[] digest(byte[] key, String before, byte[] body) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        mac.update(bytes(before));
        return mac.doFinal(body);
    }

    /** Whether one of several fits; all are compared, in constant time. */
    private static boolean fits(List<String> offered, List<String> expected) {
        boolean fits = false;
        for (String one : offered)
            for (String other : expected) fits |= MessageDigest.isEqual(bytes(one), bytes(other));
        return fits;
    }

    private static List<String> list(String signatures) {
        return Arrays.stream(signatures.split(" ")).limit(16).toList();
    }

    private static boolean isTimely(String at, long now) {
        return at.matches("0|[1-9][0-9]{0,11}") && Math.abs(Long.parseLong(at) - now) <= TOLERANCE;
    }

    /** A server may join a header that comes twice with a comma; a list of signatures has blanks only. */
    private static boolean isAddressed(String id, String at, String signatures, long now) {
        return !id.isEmpty() && !signatures.contains(", ") && isTimely(at, now);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static byte[] join(byte[] one, byte[] other) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(one);
        whole.writeBytes(other);
        return whole.toByteArray();
    }
}
