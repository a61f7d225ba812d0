package dev.waybill.flows.hostile;

import dev.waybill.flows.hostile.HostileRequest.Ending;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Makes requests: a proper one of some service, with up to three things wrong. The same seed makes the same requests. */
final class HostileRequests {

    /** One of this many requests never completes its body. */
    private static final int RARELY = 500;

    private final SplittableRandom random;
    private final String prefix;
    private final OddTexts texts;
    private final OddBodies bodies;
    private int made;

    HostileRequests(long seed, String prefix) {
        this.random = new SplittableRandom(seed);
        this.prefix = prefix;
        this.texts = new OddTexts(random);
        this.bodies = new OddBodies(random);
    }

    HostileRequest next() {
        Write write = new Write(texts.pick(Write.Kind.values()), id());
        Map<String, String> headers = write.headers();
        String method = "POST";
        String target = write.kind().path;
        String body = write.body();
        for (int wrong = random.nextInt(4); wrong > 0; wrong--) {
            switch (random.nextInt(8)) {
                case 0 -> method = texts.method();
                case 1 -> target = texts.target(target);
                case 2, 3 -> headers.put(texts.headerName(), texts.headerValue());
                case 4 -> headers.put("Content-Type", texts.contentType());
                case 5 -> headers.put("Accept", texts.accept());
                default -> body = bodies.changed(body);
            }
        }
        StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        return delivered(write, head.toString(), latin1(body));
    }

    /** The random end keeps a changed id from being another request's. */
    private String id() {
        return prefix + made++ + "-" + Integer.toHexString(random.nextInt());
    }

    /** The body's UTF-8 bytes, one character each. */
    private static String latin1(String body) {
        return new String(body.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private HostileRequest delivered(Write write, String head, String body) {
        String fixed = head + "Content-Length: " + body.length() + "\r\n\r\n";
        String chunked = head + "Transfer-Encoding: chunked\r\n\r\n";
        String chunk = body.isEmpty() ? "" : Integer.toHexString(body.length()) + "\r\n" + body + "\r\n";
        String end = "0\r\n\r\n";
        if (random.nextInt(RARELY) == 0) {
            return new HostileRequest(write, List.of(head + "Content-Length: 4096\r\n\r\n{"), Ending.WAIT);
        }
        return switch (random.nextInt(24)) {
            case 0 -> new HostileRequest(write, List.of(fixed + body.substring(body.length() / 2)), Ending.HALF_CLOSE);
            case 1 -> new HostileRequest(write, List.of(chunked + chunk), Ending.HALF_CLOSE);
            case 2 -> new HostileRequest(write, List.of(chunked + texts.badChunk()), Ending.HALF_CLOSE);
            case 3 -> new HostileRequest(write, List.of(chunked, "4;a=b\r\nabcd", "\r\nzz\r\n"), Ending.HALF_CLOSE);
            case 4 -> new HostileRequest(write, List.of(fixed + "x"), Ending.LEAVE);
            case 5, 6 -> new HostileRequest(write, pieces(chunked, chunk + end), Ending.WAIT);
            case 7, 8 -> new HostileRequest(write, pieces(fixed, body), Ending.WAIT);
            case 9 ->
                new HostileRequest(write, List.of(head + texts.lengthHeaders() + "\r\n" + body), Ending.HALF_CLOSE);
            case 10 -> new HostileRequest(write, List.of(head.substring(0, head.length() / 2)), Ending.LEAVE);
            default -> new HostileRequest(write, List.of(fixed + body), Ending.WAIT);
        };
    }

    private List<String> pieces(String head, String body) {
        List<String> pieces = new ArrayList<>(List.of(head));
        int size = Math.max(1, body.length() / (1 + random.nextInt(6)));
        for (int from = 0; from < body.length(); from += size) {
            pieces.add(body.substring(from, Math.min(body.length(), from + size)));
        }
        return pieces;
    }
}
