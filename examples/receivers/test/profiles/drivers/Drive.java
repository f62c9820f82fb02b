import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** See drive.py. */
final class Drive {
    public static void main(String[] none) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] parts = line.split(",", -1);
            long now = Long.parseLong(parts[1]);
            List<String> keys = new ArrayList<>();
            for (String key : parts[2].split("\\.")) keys.add(textOf(key));
            List<String> endpoints = new ArrayList<>();
            for (String endpoint : parts[3].split("\\.")) endpoints.add(textOf(endpoint));
            byte[] body = HexFormat.of().parseHex(parts[4]);
            List<String> headers = new ArrayList<>();
            for (int place = 5; place < parts.length; place++) headers.add(textOf(parts[place]));
            boolean isGenuine = switch (parts[0]) {
                case "github" -> Verify.isGithubSigned(headers.get(0), body, keys);
                case "stripe" -> Verify.isStripeSigned(headers.get(0), body, keys, now);
                case "standard" ->
                    Verify.isStandardSigned(headers.get(0), headers.get(1), headers.get(2), body, keys, now);
                default -> Verify.isEd25519Signed(
                    headers.get(0), headers.get(1), headers.get(2), body, keys, endpoints, now);
            };
            System.out.println(isGenuine ? 1 : 0);
        }
    }

    private static String textOf(String hex) {
        return new String(HexFormat.of().parseHex(hex), StandardCharsets.UTF_8);
    }
}
